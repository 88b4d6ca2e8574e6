#include "planner/interval_pools.hpp"

#include "availability/pools/pool_plan.hpp"

#include <algorithm>

namespace slotwise {

IntervalPools::IntervalPools(const Site& site, const ReplayContext& context)
    : context_(&context), processors_per_node_(site.torus->processors_per_node()),
      plan_(site.torus->nodes(), context.policy.allocation, context.jobs.first_submit),
      calendar_(site, context.jobs.first_submit) {}

void IntervalPools::advance(Time now) {
    plan_.advance(now);
    // A change of policy may also have changed the allocation rule.
    plan_.set_allocation(context_->policy.allocation);
    failed_.clear();
}

std::int64_t IntervalPools::free_processors(PoolId) const {
    return processors_of(plan_.slots().free());
}

bool IntervalPools::fits_now(JobId job, Time length) {
    if (length > 0 && calendar_.reach(plan_.now() + length, plan_)) may_be_overdrawn_ = true;
    const NodeCount nodes = size(job);
    if (has_failed(nodes, length)) return false;
    found_ = plan_.find_now(nodes, length);
    if (!found_.empty()) return true;
    std::erase_if(failed_, [&](const Failure& failure) {
        return failure.nodes >= nodes && failure.length >= length;
    });
    failed_.push_back({nodes, length});
    return false;
}

// Returns true if the job cannot fit now: a search at this instant has already failed for a job
// that was no larger and no longer, and nothing has been released since.
bool IntervalPools::has_failed(NodeCount nodes, Time length) const {
    return std::any_of(failed_.begin(), failed_.end(), [&](const Failure& failure) {
        return failure.nodes <= nodes && failure.length <= length;
    });
}

// Finds nodes of the reservation that no job is using, and that no other downtime, reservation or
// promise takes before the job ends.
bool IntervalPools::fits_inside(JobId job, Time length, std::uint32_t reservation) {
    const Time end = plan_.now() + length;
    calendar_.reach(end, plan_);
    CoveredSlots& slots = plan_.beside_running();
    std::vector<NodeInterval> excluded;
    std::int32_t from = 0;
    for (const NodeInterval& kept : calendar_.kept(reservation)) {
        excluded.push_back({from, kept.begin});
        from = kept.end;
    }
    excluded.push_back({from, plan_.nodes()});
    for (const IntervalSpan& span : plan_.ahead())
        if (span.from < end && !calendar_.is_window_of(reservation, span))
            excluded.push_back(span.nodes);
    for (const NodeInterval& nodes : excluded)
        slots.cover(nodes);
    found_ = plan_.choose(slots.slots(), size(job));
    for (const NodeInterval& nodes : excluded)
        slots.uncover(nodes);
    return !found_.empty();
}

void IntervalPools::start(JobId job, Time planned_end) {
    plan_.hold_now(found_);
    plan_.plan_running(found_, planned_end);
    running_[job] = found_;
}

// A job inside the reservation may be planned to end after the reservation. Promises may already
// use the job's nodes after the reservation ends.
void IntervalPools::start_inside(JobId job, std::uint32_t, Time planned_end) {
    start(job, planned_end);
    may_be_overdrawn_ = true;
}

void IntervalPools::vacate(JobId job, Time planned_end) {
    const auto found = running_.find(job);
    plan_.free_now(found->second);
    plan_.forget_running(found->second, planned_end);
    running_.erase(found);
    failed_.clear();
}

void IntervalPools::prolong(JobId job, Time planned_end, Time end) {
    const NodeInterval nodes = running_.at(job);
    plan_.forget_running(nodes, planned_end);
    plan_.plan_running(nodes, end);
    may_be_overdrawn_ = true;
}

Time IntervalPools::earliest(JobId job, Time length, Time from, Time) {
    Time found = from;
    for (int i = 0; i < PoolPlan::kMostSearches && found != kNever; ++i) {
        found = plan_.earliest(size(job), length, found);
        if (found == kNever || !calendar_.reach(found + length, plan_)) return found;
        may_be_overdrawn_ = true;
    }
    return kNever;
}

bool IntervalPools::reserve(PoolId, JobId job, Time length) {
    const Time from = earliest(job, length, plan_.now(), kNever);
    if (from == kNever) return false;
    reserved_.push_back({from, from + length, plan_.found()});
    plan_.add(reserved_.back());
    return true;
}

// If the job does not fit at `from`, the reservation still begins at `from`. It then takes the
// nodes that the job would get at the first later time at which the job fits.
void IntervalPools::reserve_at(PoolId, JobId job, Time from, Time length) {
    const Time begin = std::max(from, plan_.now());
    earliest(job, length, begin, kNever);
    reserved_.push_back({begin, begin + length, plan_.found()});
    plan_.add(reserved_.back());
}

void IntervalPools::drop_reservations(PoolId) {
    for (const IntervalSpan& span : reserved_)
        plan_.remove(span);
    reserved_.clear();
    failed_.clear();
}

void IntervalPools::promise(JobId job, Time start, Time length) {
    const IntervalSpan span{start, start + length, plan_.find(size(job), start, start + length)};
    promises_.insert_or_assign(job, span);
    plan_.add(span);
}

void IntervalPools::lay(JobId job, int sign) {
    const IntervalSpan& span = promises_.at(job);
    if (sign > 0)
        plan_.add(span);
    else
        plan_.remove(span);
    failed_.clear();
}

bool IntervalPools::fits_promise(JobId job) {
    const IntervalSpan& span = promises_.at(job);
    found_ = span.nodes;
    return plan_.is_free_now(found_, span.to - span.from);
}

bool IntervalPools::is_overdrawn() {
    if (!may_be_overdrawn_) return false;
    may_be_overdrawn_ = std::any_of(promises_.begin(), promises_.end(), [&](const auto& entry) {
        plan_.remove(entry.second);
        const bool is_kept = plan_.has_room(entry.second);
        plan_.add(entry.second);
        return !is_kept;
    });
    return may_be_overdrawn_;
}

ProcCount IntervalPools::left(std::uint32_t reservation) const {
    NodeCount nodes = 0;
    for (const NodeInterval& kept : calendar_.kept(reservation)) {
        nodes += kept.size();
        for (const auto& [job, held] : running_)
            nodes -= std::max(std::min(held.end, kept.end) - std::max(held.begin, kept.begin), 0);
    }
    return processors_of(nodes);
}

void IntervalPools::begin_outage(std::uint32_t index, Time time) {
    calendar_.begin_outage(index, time, plan_);
    may_be_overdrawn_ = true;
}

void IntervalPools::end_outage(std::uint32_t index, Time time) {
    calendar_.end_outage(index, time, plan_);
}

void IntervalPools::begin_repair(NodeInterval nodes, Time time) {
    calendar_.begin_repair(nodes, time, plan_);
    may_be_overdrawn_ = true;
}

void IntervalPools::end_repair(NodeInterval nodes, Time time) {
    calendar_.end_repair(nodes, time, plan_);
}

void IntervalPools::begin_reservation(std::uint32_t index, Time time) {
    calendar_.begin_reservation(index, time, plan_);
}

void IntervalPools::end_reservation(std::uint32_t index) {
    calendar_.end_reservation(index, plan_);
}

} // namespace slotwise
