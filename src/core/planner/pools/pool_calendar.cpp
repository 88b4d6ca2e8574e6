// PoolsPlanner: what the calendar takes from the pools, and the jobs that die of it.
#include "planner/pools/pools_planner.hpp"
#include "replay/replay_error.hpp"

#include <algorithm>
#include <string>

namespace slotwise {

namespace {

constexpr double kMostChangesAtOnce = 1e8;

// While nothing runs or waits the calendar is not followed: its changes are made up for by who
// comes next.
void check_gap(const Site& site, Time from, Time to) {
    const auto gap = static_cast<double>(to - from);
    double n_changes = 0;
    for (const Outage& outage : site.outages)
        if (outage.every > 0) n_changes += 2 * gap / static_cast<double>(outage.every);
    for (const UserReservation& reservation : site.reservations)
        if (reservation.every > 0) n_changes += 2 * gap / static_cast<double>(reservation.every);
    if (site.crashes.mean > 0) n_changes += gap / site.crashes.mean;
    if (n_changes <= kMostChangesAtOnce) return;
    throw ReplayError("nothing runs or waits from second " + std::to_string(from) + " to " +
                      std::to_string(to) +
                      ", and the calendar would change more than 100000000 times in between; let "
                      "outages, reservations and crashes come less often, or cut the trace there");
}

} // namespace

// Makes the changes that are due. What they kill waits again before this instant's jobs arrive.
void PoolsPlanner::follow_calendar() {
    if (calendar_.next() > now_) return;
    const Time since = std::max(calendar_.next(), calendar_.since());
    if (since < now_) check_gap(first_layout_->site, since, now_);
    while (calendar_.next() <= now_) {
        patience_.note_change();
        make_change(calendar_.pop());
    }
    touch_all();
    std::sort(requeued_.begin(), requeued_.end());
    for (const JobId job : requeued_)
        enqueue(job);
    requeued_.clear();
}

void PoolsPlanner::make_change(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    switch (change.kind) {
    case Kind::outage_begin:
        outages_.begin(change.index, change.time, pools_, busy_in_pools());
        for (PoolId pool = 0; pool < pools_.size(); ++pool)
            if (outages_.share(change.index, pool) > 0 && outages_.kills_in(pool))
                kill_until_fits(pool);
        break;
    case Kind::outage_end:
        outages_.end(change.index, change.time, pools_);
        break;
    case Kind::crash:
        while (!running_.empty())
            stop(running_.jobs().back(), EndReason::crash);
        if (layout_->site.crashes.repair > 0) outages_.begin_repair(change.time, pools_);
        break;
    case Kind::repair_end:
        outages_.end_repair(change.time, pools_);
        break;
    case Kind::reservation_begin:
        reservations_.begin(change.index, change.time, pools_);
        break;
    case Kind::reservation_end:
        reservations_.end(change.index, context_.jobs, pools_);
        break;
    }
}

// By pool, whatever fence they count on.
std::vector<ProcCount> PoolsPlanner::busy_in_pools() const {
    std::vector<ProcCount> busy(pools_.size(), 0);
    for (const JobId job : running_.jobs())
        for (std::size_t pool = 0; pool < busy.size(); ++pool)
            busy[pool] += processors_in(static_cast<PoolId>(pool), job);
    return busy;
}

// Last started first; of those that started together, the last in the trace.
void PoolsPlanner::kill_until_fits(PoolId pool) {
    std::vector<JobId> jobs;
    std::int64_t processors = 0;
    for (const JobId job : running_.jobs()) {
        if (processors_in(pool, job) == 0) continue;
        jobs.push_back(job);
        processors += processors_in(pool, job);
    }
    const std::vector<Time>& start = context_.schedule.start;
    std::sort(jobs.begin(), jobs.end(),
              [&](JobId a, JobId b) { return start[a] != start[b] ? start[a] > start[b] : a > b; });
    for (const JobId job : jobs) {
        if (processors <= outages_.present(pool)) return;
        processors -= processors_in(pool, job);
        stop(job, EndReason::outage);
    }
}

// What a running job has of the pool.
ProcCount PoolsPlanner::processors_in(PoolId pool, JobId job) const {
    if (pool_of_[job] != kAnyPool)
        return pool_of_[job] == pool ? context_.jobs.processors[job] : ProcCount{0};
    for (const PoolShare& share : shares_.at(job))
        if (share.pool == pool) return share.processors;
    return 0;
}

void PoolsPlanner::stop(JobId job, EndReason reason) {
    const bool requeued = layout_->site.interruption.requeue != Requeue::never;
    starts_->stops.push_back({job, pool_of_[job], reason, requeued});
    vacate(job);
    if (requeued) {
        pool_of_[job] = kAnyPool;
        requeued_.push_back(job);
    } else {
        note_over(job, now_);
    }
}

// The next calendar change that matters: while something runs, or waits and may start one day.
Time PoolsPlanner::next_change() const {
    if (!layout_->has_calendar || gives_up()) return kNever;
    if (n_running_ == 0 && eligibility_.n_coming() == 0) return kNever;
    return calendar_.next();
}

} // namespace slotwise
