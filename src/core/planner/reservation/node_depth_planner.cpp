#include "planner/reservation/node_depth_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Whether `a` asks as many units as `b`, or more, each at least as large.
bool asks_as_much(const UnitDemand& a, const UnitDemand& b) {
    if (a.units < b.units) return false;
    for (std::size_t r = 0; r < kMostResources; ++r)
        if (a.each[r] < b.each[r]) return false;
    return true;
}

} // namespace

NodeDepthPlanner::NodeDepthPlanner(const ReplayContext& context,
                                   std::shared_ptr<const JobDemands> jobs, bool others_pass,
                                   std::int64_t depth)
    : NodePlannerBase(context, std::move(jobs)), others_pass_(others_pass), depth_(depth),
      started_(context.jobs.size(), 0) {}

NodeDepthPlanner::NodeDepthPlanner(const NodeDepthPlanner& other, const ReplayContext& context)
    : NodePlannerBase(other, context), others_pass_(other.others_pass_), depth_(other.depth_),
      reserved_(other.reserved_), failures_(other.failures_), next_failure_(other.next_failure_),
      last_blocked_(other.last_blocked_), started_(other.started_) {}

void NodeDepthPlanner::pass(const Instant& instant, Starts& starts) {
    const Time now = instant.now;
    finish(instant.ended, now);
    const bool waited = queue_.size() > 0;
    enqueue(instant.arrived);
    if (queue_.empty()) return;
    queue_.sort_at(now);
    if (waited && only_arrivals_matter(instant)) {
        arrivals_.clear();
        for (const JobId job : queue_.jobs())
            if (std::binary_search(instant.arrived.begin(), instant.arrived.end(), job))
                arrivals_.push_back(job);
        if (others_pass_) go_through(arrivals_, now, true, starts);
    } else {
        withdraw(now);
        failures_.clear();
        last_blocked_ = kNoJob;
        go_through(queue_.jobs(), now, false, starts);
    }
    if (!starts.jobs.empty()) queue_.erase_if([&](JobId job) { return started_[job] != 0; });
}

// Whether whoever waited still has no room, and the reservations stand.
bool NodeDepthPlanner::only_arrivals_matter(const Instant& instant) const {
    if (!instant.ended.empty() || queue_.drifts() || last_blocked_ == kNoJob) return false;
    for (const Reservation& reservation : reserved_)
        if (reservation.start <= instant.now) return false;
    return std::all_of(instant.arrived.begin(), instant.arrived.end(),
                       [&](JobId job) { return queue_.precedes(last_blocked_, job); });
}

void NodeDepthPlanner::go_through(std::span<const JobId> jobs, Time now, bool any_waits,
                                  Starts& starts) {
    for (const JobId job : jobs) {
        const bool reserves = static_cast<std::int64_t>(reserved_.size()) < depth_;
        if (!reserves && any_waits && plan_.free(now)[0] == 0) return;
        if (has_room(job, now)) {
            start(job, now, any_waits, starts);
            started_[job] = 1;
            continue;
        }
        any_waits = true;
        if (last_blocked_ == kNoJob || reserves) last_blocked_ = job;
        if (!others_pass_) return;
        if (reserves) reserve(job, now);
    }
}

bool NodeDepthPlanner::has_room(JobId job, Time now) {
    const UnitDemand& asked = demand(job);
    const Time needed = length(job);
    if (!UnitRoom(asked).within(plan_.free(now))) return false;
    for (const Failure& failure : failures_)
        if (failure.length <= needed && asks_as_much(asked, failure.demand)) return false;
    if (plan_.fits(asked, now, needed)) return true;
    if (failures_.size() < kMostFailures) {
        failures_.push_back({asked, needed});
    } else {
        failures_[next_failure_] = {asked, needed};
        next_failure_ = (next_failure_ + 1) % kMostFailures;
    }
    return false;
}

void NodeDepthPlanner::reserve(JobId job, Time now) {
    const Time start = reserved_.empty() ? plan_.earliest_rising(demand(job), now)
                                         : plan_.earliest(demand(job), length(job), now);
    plan_.place(demand(job), start, length(job), node_jobs_->rule, found_);
    plan_.occupy(found_, demand(job).each, start, start + length(job));
    reserved_.push_back({job, start, found_});
}

void NodeDepthPlanner::withdraw(Time now) {
    for (const Reservation& reservation : reserved_)
        plan_.vacate(reservation.places, demand(reservation.job).each,
                     std::max(reservation.start, now), reservation.start + length(reservation.job));
    reserved_.clear();
}

} // namespace slotwise
