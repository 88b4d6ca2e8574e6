// PoolsPlanner: sweeps over the pools, and who starts.
#include "admission/slowdown_threshold.hpp"
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

bool PoolsPlanner::is_open(PoolId p, JobId job) const {
    const Pool& pool = layout_->site.pools[p];
    if (context_.jobs.processors[job] > pool.processors || !routing_->fits_now(p, job))
        return false;
    return !pool.has_threshold || factor(job) > pool.threshold;
}

double PoolsPlanner::factor(JobId job) const {
    return factor_of(now_ - context_.jobs.submit(job), context_.jobs.requested_time[job],
                     queue_of(job));
}

// Until a further sweep would start nobody.
void PoolsPlanner::sweep_until_settled(const Cluster& cluster) {
    std::size_t before;
    do {
        before = starts_->jobs.size();
        sweep(cluster);
    } while (starts_->jobs.size() > before && n_waiting_ > 0 && has_freed_others(cluster));
}

// Whether a start of this sweep may let jobs start that were tried before it: a job they had to
// respect is not in their way any more, as it has started in another pool or its limit is full.
bool PoolsPlanner::has_freed_others(const Cluster& cluster) {
    if (cluster.sweeps_whole)
        return cluster.may_settle_late ||
               std::any_of(respected_.begin(), respected_.end(),
                           [&](JobId job) { return waits(job) && !is_eligible(job); });
    look_over(cluster);
    return std::any_of(cluster.pools.begin(), cluster.pools.end(),
                       [&](PoolId pool) { return is_due_[pool] != 0; });
}

// A pool is due, whatever has happened in it, where the job that blocked it does so no longer.
void PoolsPlanner::look_over(const Cluster& cluster) {
    for (const PoolId pool : cluster.pools)
        if (has_lost_head(pool)) is_due_[pool] = 1;
}

// Whether time alone may change who comes first in a pool with a threshold: factors grow at
// different rates.
bool PoolsPlanner::may_reorder(const Cluster& cluster) const {
    return cluster.has_threshold &&
           std::any_of(cluster.lines.begin(), cluster.lines.end(),
                       [&](std::size_t at) { return lines_[at].passed.size() > 1; });
}

// Each line in turn. A pool in which nothing has happened is left out, as all would be in vain
// there; unless the job that blocks it is lost in the course of the sweep.
void PoolsPlanner::sweep(const Cluster& cluster) {
    reserved_.clear();
    respected_.clear();
    line_ = kBeforeLines;
    if (cluster.has_threshold)
        for (const std::size_t at : cluster.lines)
            if (lines_[at].passed.size() > 1) is_due_[layout_->lines[at].pool] = 1;
    for (const PoolId pool : cluster.pools) {
        is_swept_[pool] = 0;
        bounds_[pool] = {0, 0, 0};
        if (cluster.sweeps_whole || is_due_[pool] != 0) join_sweep(pool);
    }
    is_sweeping_ = true;
    try_starving(cluster);
    for (const std::size_t at : cluster.lines) {
        const PoolId pool = layout_->lines[at].pool;
        if (is_swept_[pool] == 0 || asked_[pool].backfill.promises) continue;
        line_ = at;
        if (layout_->site.pools[pool].has_threshold)
            try_passed(pool, lines_[at].passed);
        else
            try_line(layout_->lines[at], lines_[at].waiting);
    }
    is_sweeping_ = false;
    // Of other pools they are kept: an arrival alone is tried against them.
    for (const PoolId pool : cluster.pools) {
        if (is_swept_[pool] == 0) continue;
        if (layout_->is_stepped[pool]) pools_[pool].drop_reservations();
        if (layout_->backfills[pool].relaxes && asked_[pool].blocked_by == kNoJob)
            deadlines_[pool].job = kNoJob;
    }
}

// Has the pool take part in the sweep from here on.
void PoolsPlanner::join_sweep(PoolId pool) {
    is_due_[pool] = 0;
    is_swept_[pool] = 1;
    asked_[pool] = {lifted_ ? PoolsLayout::Backfill{0, true} : layout_->backfills[pool]};
    pools_[pool].drop_reservations();
    bounds_[pool] = bounds_to_try(pool);
}

// A start in the midst of a sweep may take the job that blocks another pool, which is left out of
// the sweep: by itself, or as it fills a limit. Where that job was to be tried in the pool later in
// the sweep, the others are tried without it; else in the next.
void PoolsPlanner::pass_on(JobId started) {
    const std::size_t cluster = layout_->cluster_of_queue(routing_->queue_of[started]);
    for (const PoolId pool : layout_->clusters[cluster].pools) {
        if (is_swept_[pool] != 0 || !has_lost_head(pool)) continue;
        if (is_yet_to_come(pool, started))
            join_sweep(pool);
        else
            is_due_[pool] = 1;
    }
}

// Whether the job that blocks the pool would be tried there after what was tried last.
bool PoolsPlanner::is_yet_to_come(PoolId pool, JobId started) const {
    const Asked& asked = asked_[pool];
    if (line_ != kBeforeLines || asked.line != kBeforeLines)
        return asked.line != kBeforeLines && (line_ == kBeforeLines || asked.line > line_);
    if (asked.blocked_by != started) return asked.blocked_by > started;
    const std::vector<PoolId>& pools = queue_of(started).pools;
    return std::find(pools.begin(), pools.end(), pool) >
           std::find(pools.begin(), pools.end(), pool_of_[started]);
}

// Where nothing but one arrival has happened, and all waiting jobs are in vain where they were
// before: tries that one alone. False: the cluster is to be swept.
//
// Example: pool A is full until 100, its head reserved from there on with 2 to spare. A job on 1
// processor arrives, of lower priority than the head: whether it starts is asked of the reservation
// the last sweep has left. Had it higher priority, the reservation would become its own, and
// those behind the old head might fit.
bool PoolsPlanner::settle_arrival(JobId job) {
    const QueueId queue = routing_->queue_of[job];
    const Cluster& cluster = layout_->clusters[layout_->cluster_of_queue(queue)];
    const auto some_head_is_lost = [&] {
        return std::any_of(cluster.pools.begin(), cluster.pools.end(),
                           [&](PoolId pool) { return has_lost_head(pool); });
    };
    if (!waits(job) || starves(job) || (eligibility_.has_hours() && some_head_is_lost()) ||
        may_reorder(cluster))
        return false;
    if (!is_eligible(job)) return true;
    if (!rows_.is_front(job)) return true; // as one alike is in vain
    const QueueRanking::Key key = layout_->orders.key(context_.jobs, job, queue);
    for (const std::size_t at : layout_->lines_of[queue]) {
        const PoolId pool = layout_->lines[at].pool;
        if (!is_open(pool, job)) continue;
        if (layout_->site.pools[pool].has_threshold) return false;
        const Asked& asked = asked_[pool];
        if (asked.blocked() && asked.line != kBeforeLines &&
            (at < asked.line ||
             (at == asked.line &&
              !(layout_->orders.key(context_.jobs, asked.blocked_by,
                                    routing_->queue_of[asked.blocked_by]) < key))))
            return false;
        line_ = at;
        if (!asked.blocked() && asked.backfill.reservations > 0 &&
            !pools_[pool].fits_now(estimates_.waiting(job), context_.jobs.processors[job]))
            return false;
        if (try_in(job, pool)) // which may fill the limit of a head
            return !layout_->counts_queued && !(eligibility_.has_limits() && some_head_is_lost());
    }
    return true;
}

bool PoolsPlanner::any_eligible() const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](JobId job) {
        return waits(job) && rows_.is_front(job) && is_eligible(job);
    });
}

// What the site's limits of one user or group hold back, as `none` would start it, and who is the
// first of his user by such a start.
void PoolsPlanner::start_when_idle(const Cluster& cluster) {
    lifted_ = true;
    sweep(cluster);
    lifted_ = false;
}

// Where starts are promised a job is planned for a second at least.
Time PoolsPlanner::length_at_start(JobId job) const {
    return std::max<Time>(estimates_.running(job), layout_->has_promises ? 1 : 0);
}

void PoolsPlanner::start(JobId job, PoolId pool, bool past_another, Time length) {
    const Time end = ends_.start(job, now_, static_cast<Duration>(length));
    pools_[pool].occupy(end, context_.jobs.processors[job]);
    note_started(job, pool, past_another);
}

// kAnyPool: it has started in several.
void PoolsPlanner::note_started(JobId job, PoolId pool, bool past_another) {
    pool_of_[job] = pool;
    ++n_running_;
    if (layout_->has_calendar) running_.insert(job);
    eligibility_.note_started(job, routing_->queue_of[job], context_.jobs.processors[job]);
    successor_ = leave_queue(job);
    if (is_sweeping_) pass_on(job);
    starts_->add(job, past_another);
}

} // namespace slotwise
