// The part of Simulator that makes the changes requested by a user, and that lets a replay continue
// on another table.
#include "engine/orders/prepare_orders.hpp"
#include "engine/simulator.hpp"
#include "guard.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace slotwise {

Simulator::Simulator(const Simulator& other, std::shared_ptr<const JobTable> table,
                     PreparedSite site, std::span<const JobId> row_of, Time handled,
                     const MakeScheduler& make)
    : table_(std::move(table)), site_(std::move(site)),
      jobs_(make_replay_jobs(*table_, site_->policy)),
      lengths_(other.lengths_, *table_, *site_, row_of),
      limit_checks_(site_->policy, jobs_.first_submit),
      completions_(jobs_.size(), jobs_.first_submit, horizon_of(jobs_.run_time)), now_(other.now_),
      n_ended_(other.n_ended_), next_pass_(other.next_pass_) {
    const std::size_t n = jobs_.size();
    schedule_.placements = Placements(other.schedule_.placements, n, row_of);
    guard(!site_->has_torus() || !schedule_.placements.empty(),
          "jobs that have started must have nodes");
    set_up();
    const std::span<Duration> run_time = jobs_.run_time.change();
    for (std::size_t job = 0; job < row_of.size(); ++job) {
        if (other.schedule_.start[job] == kNotStarted) continue;
        const JobId row = row_of[job];
        schedule_.start.set(row, other.schedule_.start[job]);
        schedule_.backfilled.set(row, other.schedule_.backfilled[job]);
        run_time[row] = other.jobs_.run_time[job];
    }
    jobs_.usage = other.jobs_.usage;
    prepare_orders_underway(*site_, routing_.get(), jobs_);
    const BlockColumn<double>& priority = other.jobs_.manual_priorities;
    if (!priority.empty()) jobs_.manual_priorities = BlockColumn<double>(n, 0.0);
    for (std::size_t job = 0; job < priority.size(); ++job)
        jobs_.manual_priorities.set(row_of[job], priority[job]);
    for (const JobId job : other.ended_)
        ended_.push_back(row_of[job]);
    for (const JobId job : other.arrived_)
        arrived_.push_back(row_of[job]);
    for (EventQueue rest = other.completions_; !rest.empty();) {
        const Time end = rest.next();
        completions_.push(end, row_of[rest.pop()], handled);
    }
    const auto& submit = table_->submit;
    arrivals_ = Arrivals(jobs_, site_->processors, nullptr);
    arrivals_.move_to(static_cast<JobId>(std::upper_bound(submit.begin(), submit.end(), handled) -
                                         submit.begin()));
    scheduler_ = make(context());
    due_ = scheduler_->next_due();
}

void Simulator::arrive(JobId job, Time now) {
    const bool is_rejected = routing_ != nullptr && routing_->rejects(job);
    const auto at = std::lower_bound(arrived_.begin(), arrived_.end(), job);
    if (!is_rejected && (at == arrived_.end() || *at != job)) arrived_.insert(at, job);
    arrivals_.move_to(std::max(arrivals_.position(), job + 1));
    ask_for_pass(now);
}

void Simulator::stop(JobId job, Time now) {
    lengths_.log().add(
        {.job = job, .start = schedule_.start[job], .end = now, .reason = EndReason::cancelled});
    completions_.remove(std::array{job});
    ended_.push_back(job);
    if (jobs_.follows_usage()) jobs_.note_end(job, now);
    ask_for_pass(now);
}

void Simulator::take_lengths(std::span<const Duration> length, std::span<const JobId> running,
                             Time now) {
    lengths_.ignore_placement();
    jobs_.all_succeed = true;
    const std::span<Duration> run_time = jobs_.run_time.change();
    for (std::size_t job = 0; job < jobs_.size(); ++job)
        if (schedule_.start[job] == kNotStarted) run_time[job] = length[job];
    completions_ = EventQueue(jobs_.size(), jobs_.first_submit, horizon_of(jobs_.run_time));
    for (const JobId job : running) {
        if (has_ended(job)) continue;
        const Time start = schedule_.start[job];
        const Time end = std::max(start + length[job], now + 1);
        run_time[job] = static_cast<Duration>(end - start);
        completions_.push(end, job, now);
    }
}

bool Simulator::has_ended(JobId job) const {
    return std::find(ended_.begin(), ended_.end(), job) != ended_.end();
}

void Simulator::set_priority(JobId job, double priority, bool moves) {
    const auto set = [&] {
        if (jobs_.manual_priorities.empty())
            jobs_.manual_priorities = BlockColumn<double>::of_one_value(jobs_.size(), 0.0);
        jobs_.manual_priorities.set(job, priority);
    };
    if (moves)
        scheduler_->reorder(job, set);
    else
        set();
}

namespace {

// Throws an exception if a change of policy would change which jobs are rejected. New values of
// `passes` or `estimates` may change this, because they determine which jobs fit between two
// maintenance windows.
void check_routing_stays(const Site& site, ReplayJobs jobs, const Routing& before) {
    const Routing routing(site, jobs);
    if (routing.reject_reason == before.reject_reason &&
        routing.without_room == before.without_room)
        return;
    throw std::invalid_argument(
        "with the new passes or estimates, different jobs would fit between the maintenance "
        "windows; keep passes and estimates as they are, or begin another simulation");
}

} // namespace

void Simulator::change_policy(const Policy& policy, const std::shared_ptr<Dispatcher>& dispatcher) {
    const PreparedSite before = site_;
    site_.change_policy(policy);
    try {
        if (policy.passes != before->policy.passes || policy.period != before->policy.period ||
            policy.estimates != before->policy.estimates)
            check_routing_stays(*site_, jobs_, *routing_);
        prepare_orders_underway(*site_, routing_.get(), jobs_);
        scheduler_->change_policy(dispatcher, {});
    } catch (...) {
        site_ = before;
        throw;
    }
}

bool Simulator::change_plain_policy(const PreparedSite& site,
                                    const std::function<bool(const ReplayContext&)>& adopts) {
    const PreparedSite before = std::exchange(site_, site);
    if (adopts(context())) {
        due_ = scheduler_->next_due();
        return true;
    }
    site_ = before;
    return false;
}

void Simulator::repeat_pass() {
    ended_.clear();
    arrived_.clear();
    starts_ = {};
    ask_for_pass(now_);
}

} // namespace slotwise
