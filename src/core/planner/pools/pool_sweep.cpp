#include "planner/pools/pool_sweep.hpp"

#include <algorithm>

namespace slotwise {

PoolSweep::PoolSweep(const Parts& parts)
    : deadlines_(parts.context.layout->site.pools.size()), is_swept_(deadlines_.size(), 0),
      asked_(deadlines_.size()), bounds_(deadlines_.size()) {
    rebind(parts);
}

void PoolSweep::rebind(const Parts& parts) {
    context_ = &parts.context;
    events_ = &parts.events;
    pools_ = &parts.pools;
    lines_ = &parts.lines;
    transitions_ = &parts.transitions;
    spanning_ = &parts.spanning;
}

void PoolSweep::sweep_until_settled(const Cluster& cluster) {
    look_over(cluster);
    std::size_t before;
    do {
        before = context_->starts->jobs.size();
        sweep(cluster);
    } while (context_->starts->jobs.size() > before && lines_->n_waiting() > 0 &&
             has_freed_others(cluster));
}

// True where a start of this sweep may let jobs start that were tried before it: a job they had to
// respect is not in their way any more, as it has started in another pool or its limit is full.
bool PoolSweep::has_freed_others(const Cluster& cluster) {
    if (cluster.sweeps_whole)
        return cluster.may_settle_late ||
               std::any_of(respected_.begin(), respected_.end(), [&](JobId job) {
                   return lines_->waits(job) && !context_->is_eligible(job);
               });
    look_over(cluster);
    return std::any_of(cluster.pools.begin(), cluster.pools.end(),
                       [&](PoolId pool) { return events_->is_due(pool); });
}

bool PoolSweep::has_lost_some_head(const Cluster& cluster) const {
    return std::any_of(cluster.pools.begin(), cluster.pools.end(),
                       [&](PoolId pool) { return has_lost_head(pool); });
}

// A pool is due, whatever has happened in it, where the job that blocked it does so no longer.
void PoolSweep::look_over(const Cluster& cluster) {
    for (const PoolId pool : cluster.pools)
        if (has_lost_head(pool)) events_->set_due(pool, true);
}

// Factors of jobs in a pool with a threshold grow at different rates.
bool PoolSweep::may_reorder(const Cluster& cluster) const {
    return cluster.has_threshold &&
           std::any_of(cluster.lines.begin(), cluster.lines.end(),
                       [&](std::size_t at) { return lines_->line(at).passed.size() > 1; });
}

// Each line in turn. A pool in which nothing has happened is left out, as nobody would start there;
// unless the job that blocks it is lost in the course of the sweep.
void PoolSweep::sweep(const Cluster& cluster) {
    reserved_.clear();
    respected_.clear();
    line_ = kBeforeLines;
    if (cluster.has_threshold)
        for (const std::size_t at : cluster.lines)
            if (lines_->line(at).passed.size() > 1)
                events_->set_due(context_->layout->lines[at].pool, true);
    for (const PoolId pool : cluster.pools) {
        is_swept_[pool] = 0;
        bounds_[pool] = {0, 0, 0};
        if (cluster.sweeps_whole || events_->is_due(pool)) join(pool);
    }
    is_sweeping_ = true;
    try_starving(cluster);
    for (const std::size_t at : cluster.lines) {
        const PoolId pool = context_->layout->lines[at].pool;
        if (is_swept_[pool] == 0 || asked_[pool].backfill.promises) continue;
        line_ = at;
        if (context_->layout->site.pools[pool].has_threshold)
            try_passed(pool, lines_->line(at).passed);
        else
            try_line(context_->layout->lines[at], lines_->line(at).waiting);
    }
    is_sweeping_ = false;
    // Of other pools they are kept: an arrival alone is tried against them.
    for (const PoolId pool : cluster.pools) {
        if (is_swept_[pool] == 0) continue;
        if (context_->layout->is_stepped[pool]) pools_->plan(pool).drop_reservations();
        if (context_->layout->backfills[pool].relaxes && asked_[pool].blocked_by == kNoJob)
            deadlines_[pool].job = kNoJob;
    }
}

// Has the pool take part in the sweep from here on.
void PoolSweep::join(PoolId pool) {
    events_->set_due(pool, false);
    is_swept_[pool] = 1;
    asked_[pool] = {context_->lifted ? PoolsLayout::Backfill{0, true}
                                     : context_->layout->backfills[pool]};
    pools_->plan(pool).drop_reservations();
    bounds_[pool] = bounds_to_try(pool);
}

// A start in the midst of a sweep may take the job that blocks another pool, which is left out of
// the sweep: by itself, or as it fills a limit. Where that job was to be tried in the pool later in
// the sweep, the others are tried without it; else in the next.
void PoolSweep::pass_on(JobId started) {
    for (const PoolId pool : context_->cluster_of(started).pools) {
        if (is_swept_[pool] != 0 || !has_lost_head(pool)) continue;
        if (is_yet_to_come(pool, started))
            join(pool);
        else
            events_->set_due(pool, true);
    }
}

// True where the job that blocks the pool would be tried there after what was tried last.
bool PoolSweep::is_yet_to_come(PoolId pool, JobId started) const {
    const Asked& asked = asked_[pool];
    if (line_ != kBeforeLines || asked.line != kBeforeLines)
        return asked.line != kBeforeLines && (line_ == kBeforeLines || asked.line > line_);
    if (asked.blocked_by != started) return asked.blocked_by > started;
    const std::vector<PoolId>& pools = context_->queue_of(started).pools;
    return std::find(pools.begin(), pools.end(), pool) >
           std::find(pools.begin(), pools.end(), pools_->pool_of(started));
}

// Nothing but one arrival has happened, and no job that waited before can start.
//
// Example: pool A is full until 100, its head reserved from there on with 2 to spare. A job on 1
// processor arrives, of lower priority than the head: whether it starts is asked of the reservation
// the last sweep has left. Had it higher priority, the reservation would become its own, and
// those behind the old head might fit.
bool PoolSweep::settle_arrival(JobId job) {
    const QueueId queue = context_->routing->queue_of[job];
    const Cluster& cluster = context_->cluster_of(job);
    if (!lines_->waits(job) || lines_->starves(job) ||
        (context_->eligibility.has_hours() && has_lost_some_head(cluster)) || may_reorder(cluster))
        return false;
    if (!context_->is_eligible(job)) return true;
    if (!lines_->is_front(job)) return true; // as an identical one cannot start
    const QueueRanking::Key key = context_->key(job);
    for (const std::size_t at : context_->layout->lines_of[queue]) {
        const PoolId pool = context_->layout->lines[at].pool;
        if (!context_->is_open(pool, job)) continue;
        if (context_->layout->site.pools[pool].has_threshold) return false;
        const Asked& asked = asked_[pool];
        if (asked.blocked() && asked.line != kBeforeLines &&
            (at < asked.line || (at == asked.line && !(context_->key(asked.blocked_by) < key))))
            return false;
        line_ = at;
        if (!asked.blocked() && asked.backfill.reservations > 0 &&
            !pools_->plan(pool).fits_now(context_->estimates.waiting(job),
                                         context_->jobs.processors[job]))
            return false;
        if (try_in(job, pool)) // which may fill the limit of a head
            return !context_->layout->counts_queued &&
                   !(context_->eligibility.has_limits() && has_lost_some_head(cluster));
    }
    return true;
}

void PoolSweep::sweep_without_limits(const Cluster& cluster) {
    context_->lifted = true;
    sweep(cluster);
    context_->lifted = false;
}

void PoolSweep::touch_lost_heads() {
    for (PoolId pool = 0; pool < pools_->size(); ++pool)
        if (has_lost_head(pool)) events_->touch(pool);
}

void PoolSweep::forget_deadlines() {
    std::fill(deadlines_.begin(), deadlines_.end(), Deadline{});
}

} // namespace slotwise
