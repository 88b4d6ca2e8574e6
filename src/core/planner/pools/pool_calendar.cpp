// PoolsPlanner: what the calendar takes from the pools, and the jobs that die of it.
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Where nothing has run for so long, what still waits is taken to wait for ever: the calendar of a
// site has no end.
constexpr Time kPatience = Time{10} * 366 * 86'400;

} // namespace

// Makes the changes that are due. What they kill waits again before this instant's jobs arrive.
void PoolsPlanner::follow_calendar() {
    if (calendar_.next() > now_) return;
    while (calendar_.next() <= now_)
        make_change(calendar_.pop());
    touch_all();
    std::sort(requeued_.begin(), requeued_.end());
    for (const JobId job : requeued_)
        enqueue(job);
    requeued_.clear();
}

void PoolsPlanner::make_change(const CalendarChange& change) {
    using Kind = CalendarChange::Kind;
    const Site& site = layout_->site;
    switch (change.kind) {
    case Kind::outage_begin:
        outages_.begin(change.index, change.time, pools_, busy_in_pools());
        if (site.outages[change.index].mode == Outage::Mode::drain) break;
        for (PoolId pool = 0; pool < pools_.size(); ++pool)
            if (outages_.share(change.index, pool) > 0) kill_until_fits(pool);
        break;
    case Kind::outage_end:
        outages_.end(change.index, change.time, pools_);
        break;
    case Kind::crash:
        while (!running_.empty())
            stop(running_.jobs().back(), EndReason::crash);
        if (site.crashes.repair > 0) outages_.begin_repair(change.time, pools_);
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

// When the calendar wants a pass: while something runs or waits unheld, and not for ever.
Time PoolsPlanner::next_change() const {
    if (!layout_->has_calendar) return kNever;
    const bool idle = running_.empty();
    if (idle && (eligibility_.n_free() == 0 || now_ - last_active_ > kPatience)) return kNever;
    return calendar_.next();
}

} // namespace slotwise
