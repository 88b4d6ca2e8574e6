#include "planner/pools/pool_sweep.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns true if no job waits for the pool. `of_pool` lists the lines of the pool. Jobs of
// spanning queues are not considered.
bool is_pool_empty(const PoolLines& lines, const std::vector<std::size_t>& of_pool, PoolId pool) {
    return lines.starving_for(pool).empty() &&
           std::all_of(of_pool.begin(), of_pool.end(), [&](std::size_t at) {
               return lines.line(at).waiting.empty() && lines.line(at).passed.empty();
           });
}

// Returns true if the job fits in its first pool and no other job waits for this pool.
bool fits_first_pool(const PoolsContext& context, PoolSet& pools, const PoolLines& lines,
                     JobId job) {
    const PoolsLayout& layout = *context.layout;
    const Queue& queue = context.queue_of(job);
    const PoolId pool = queue.pools.front();
    return !queue.spanning && !layout.site.pools[pool].has_threshold &&
           pools.plan(pool).fits_now(context.estimates.waiting(job),
                                     context.jobs.processors[job]) &&
           is_pool_empty(lines, layout.lines_of_pool[pool], pool);
}

} // namespace

PoolSweep::PoolSweep(const Parts& parts)
    : deadlines_(parts.context.layout->site.pools.size()), is_swept_(deadlines_.size(), 0),
      asked_(deadlines_.size()), bounds_(deadlines_.size(), BackfillBounds{0, 0, 0}) {
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
    if (!cluster.sweeps_whole && !find_due(cluster)) return;
    std::size_t before;
    do {
        before = context_->starts->jobs.size();
        sweep(cluster);
    } while (context_->starts->jobs.size() > before && lines_->n_waiting() > 0 &&
             has_freed_others(cluster));
}

// Returns true if a job that has started in this sweep may allow jobs that were tried earlier to
// start too. There are three possible reasons: these jobs may get other nodes; the started job had
// blocked them in another pool; or a limit that has now been reached applies to the job that blocks
// them.
bool PoolSweep::has_freed_others(const Cluster& cluster) {
    NodePools* nodes = pools_->machine().nodes();
    if (nodes != nullptr && nodes->moves().any() && !context_->layout->keeps_reservations) {
        for (const PoolId pool : cluster.pools)
            events_->set_due(pool, true);
        return true;
    }
    if (cluster.sweeps_whole)
        return cluster.may_settle_late ||
               std::any_of(respected_.begin(), respected_.end(), [&](JobId job) {
                   return lines_->waits(job) && !context_->is_eligible(job);
               });
    look_over(cluster);
    return find_due(cluster);
}

// Marks pools as due if their blocking job no longer blocks them.
void PoolSweep::look_over(const Cluster& cluster) {
    if (!context_->eligibility.all()) {
        for (const PoolId pool : cluster.pools)
            if (has_lost_head(pool)) events_->set_due(pool, true);
        return;
    }
    if (n_left_ == events_->n_left()) return;
    for (PoolId pool = 0; pool < asked_.size(); ++pool)
        if (has_lost_head(pool)) events_->set_due(pool, true);
    n_left_ = events_->n_left();
}

// Returns true if jobs are waiting for at least one of the pools that are due. Due pools without
// waiting jobs get the state that a sweep would give them, and are no longer due.
bool PoolSweep::find_due(const Cluster& cluster) {
    if (!events_->any_due()) return false;
    if (pools_->machine().by_job() != nullptr) return events_->any_due(cluster);
    const PoolsLayout& layout = *context_->layout;
    bool any = false;
    for (const PoolId pool : cluster.pools) {
        if (!events_->is_due(pool)) continue;
        if (!is_pool_empty(*lines_, layout.lines_of_pool[pool], pool)) {
            any = true;
            continue;
        }
        events_->set_due(pool, false);
        asked_[pool] = {layout.backfills[pool]};
        pools_->room().drop_reservations(pool);
        if (cluster.keeps_bounds) events_->keep(pool, {});
        if (layout.backfills[pool].relaxes) deadlines_[pool].job = kNoJob;
    }
    return any;
}

// Returns true if a job in the line now has a higher slowdown factor than the job that blocks the
// pool, and may therefore start. The pool must have a threshold. While the same job is first, the
// time until its reservation only shrinks, so no other job can start.
bool PoolSweep::is_overtaken(const Cluster& cluster, std::size_t line) const {
    const std::vector<JobId>& passed = lines_->line(line).passed;
    if (passed.size() < 2) return false;
    if (cluster.sweeps_whole || (context_->eligibility.has_hours() && !cluster.spanning.empty()))
        return true;
    const PoolId pool = context_->layout->lines[line].pool;
    const Asked& asked = asked_[pool];
    if (!asked.blocked() || asked.line != line) return false;
    const ProcCount free = pools_->plan(pool).free();
    const auto may_start = [&](JobId job) { return context_->jobs.processors[job] <= free; };
    if (std::none_of(passed.begin(), passed.end(), may_start)) return false;
    const auto place_of = [&](JobId job) {
        return Passed{context_->jobs.manual_priority(job), context_->factor(job), job};
    };
    const Passed head = place_of(asked.blocked_by);
    return std::any_of(passed.begin(), passed.end(), [&](JobId job) {
        return lines_->waits(job) && head < place_of(job) && !lines_->starves(job) &&
               context_->is_eligible(job);
    });
}

bool PoolSweep::touch_overtaken(std::size_t at) {
    bool any = false;
    const Cluster& cluster = context_->layout->clusters[at];
    for (const std::size_t line : cluster.threshold_lines) {
        if (lines_->line(line).passed.size() < 2) continue;
        const PoolId pool = context_->layout->lines[line].pool;
        const bool is_swept =
            events_->touched(at) == PoolEvents::Touched::otherwise && events_->is_due(pool);
        if (is_swept || !is_overtaken(cluster, line)) continue;
        events_->touch(pool);
        any = true;
    }
    return any;
}

// Tries each line in turn. Pools that have not changed are skipped, because no job could start
// there. A skipped pool joins the sweep once its blocking job no longer blocks it.
void PoolSweep::sweep(const Cluster& cluster) {
    reserved_.clear();
    respected_.clear();
    line_ = kBeforeLines;
    if (NodePools* nodes = pools_->machine().nodes()) nodes->moves().begin();
    for (const PoolId pool : joined_) { // the pools of the last sweep
        is_swept_[pool] = 0;
        bounds_[pool] = {0, 0, 0};
    }
    joined_.clear();
    for (const PoolId pool : cluster.pools)
        if (cluster.sweeps_whole || events_->is_due(pool)) join(pool);
    is_sweeping_ = true;
    try_starving();
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
    // Reservations in a ReleasePlan are not dropped here: settle_arrival() still needs them.
    for (const PoolId pool : joined_) {
        if (cluster.keeps_bounds) keep_bounds(pool);
        if (context_->layout->forms[pool] != PlanForm::releases &&
            !context_->layout->keeps_reservations)
            pools_->room().drop_reservations(pool);
        if (context_->layout->backfills[pool].relaxes && asked_[pool].blocked_by == kNoJob)
            deadlines_[pool].job = kNoJob;
    }
}

// Stores the head of the pool, and the bounds on the jobs behind it.
void PoolSweep::keep_bounds(PoolId pool) {
    const Asked& asked = asked_[pool];
    PoolEvents::Left left;
    if (asked.blocked() && lines_->waits(asked.blocked_by))
        left = {asked.blocked_by, asked.line, context_->key(asked.blocked_by),
                pools_->room().bounds(pool), context_->now};
    events_->keep(pool, left);
}

// Includes the pool in the rest of this sweep.
void PoolSweep::join(PoolId pool) {
    events_->set_due(pool, false);
    is_swept_[pool] = 1;
    joined_.push_back(pool);
    asked_[pool] = {context_->lifted ? PoolsLayout::Backfill{0, true}
                                     : context_->layout->backfills[pool]};
    pools_->room().drop_reservations(pool);
    bounds_[pool] = bounds_to_try(pool);
}

// Finds the pools that a job has unblocked by starting: either it blocked them itself, or it has
// exhausted a limit that also applies to the job that blocks them. If this sweep has skipped such a
// pool, and the turn of its blocking job is yet to come, the pool joins the sweep. Otherwise the
// pool is due in the next sweep.
void PoolSweep::pass_on(JobId started) {
    const auto pass = [&](PoolId pool) {
        if (is_swept_[pool] == 0 && is_yet_to_come(pool, started))
            join(pool);
        else
            events_->set_due(pool, true);
    };
    if (context_->eligibility.all() && n_left_ + 1 == events_->n_left()) {
        n_left_ = events_->n_left();
        for (const PoolId pool : context_->queue_of(started).pools) // it can block no other pools
            if (asked_[pool].blocked_by == started) pass(pool);
        return;
    }
    for (const PoolId pool : context_->cluster_of(started).pools)
        if (is_swept_[pool] == 0 && has_lost_head(pool)) pass(pool);
}

// Returns true if, in the order of this sweep, the turn of the pool's blocking job comes after that
// of the job that has just started.
bool PoolSweep::is_yet_to_come(PoolId pool, JobId started) const {
    const Asked& asked = asked_[pool];
    if (line_ != kBeforeLines || asked.line != kBeforeLines)
        return asked.line != kBeforeLines && (line_ == kBeforeLines || asked.line > line_);
    if (asked.blocked_by != started) return asked.blocked_by > started;
    const std::vector<PoolId>& pools = context_->queue_of(started).pools;
    return std::find(pools.begin(), pools.end(), pool) >
           std::find(pools.begin(), pools.end(), pools_->pool_of(started));
}

bool PoolSweep::pass_quickly(std::span<const JobId> arrived) {
    if (!context_->layout->may_pass_quickly || arrived.size() > 1 || !context_->eligibility.all() ||
        lines_->next_timer() <= context_->now || spanning_->any_begun())
        return false;
    if (!arrived.empty()) {
        const PoolId pool = context_->queue_of(arrived[0]).pools.front();
        if (asked_[pool].blocked() || !fits_first_pool(*context_, *pools_, *lines_, arrived[0]) ||
            context_->jobs.processors[arrived[0]] >
                pools_->plan(pool).free() - spanning_->fenced(pool, kNoJob))
            return false;
    }
    if (!is_idle()) return false;
    for (std::size_t at = 0; at < events_->n_clusters(); ++at)
        if (events_->touched(at) != PoolEvents::Touched::not_at_all)
            events_->settle(at, lines_->n_waiting() > 0);
    if (arrived.empty()) return true;
    const PoolId pool = context_->queue_of(arrived[0]).pools.front();
    transitions_->start_unqueued(arrived[0], pool, context_->length_at_start(arrived[0]));
    events_->settle(context_->layout->cluster_of[pool], lines_->n_waiting() > 0);
    return true;
}

// Returns true if a pass would start no waiting job and change no reservation.
bool PoolSweep::is_idle() {
    if (lines_->n_waiting() == 0) return true;
    for (std::size_t at = 0; at < events_->n_clusters(); ++at) {
        const Cluster& cluster = context_->layout->clusters[at];
        if (events_->touched(at) != PoolEvents::Touched::not_at_all) {
            look_over(cluster);
            if (find_due(cluster) || !spanning_->stands(cluster)) return false;
        }
        if (cluster.has_threshold && touch_overtaken(at)) return false;
    }
    return true;
}

// Requires that the arrival of `job` is the only event, and that no job that was already waiting
// can start.
//
// Example: pool A is full until 100. Its head has a reservation at 100, which leaves 2 extra
// processors. A job on 1 processor arrives. If it ranks below the head, the reservation made by the
// last sweep decides whether it starts. If it ranks above the head, it becomes the new head. Jobs
// behind the old head might then fit, so the cluster must be swept.
bool PoolSweep::settle_arrival(JobId job) {
    const QueueId queue = context_->routing->queue_of[job];
    const std::vector<PoolId>& pools = context_->cluster_of(job).pools;
    const auto has_lost_some_head = [&] {
        return std::any_of(pools.begin(), pools.end(),
                           [&](PoolId pool) { return has_lost_head(pool); });
    };
    if (!lines_->waits(job) || lines_->starves(job) || context_->queue_of(job).spanning ||
        (context_->eligibility.has_hours() && has_lost_some_head()))
        return false;
    if (!context_->is_eligible(job)) return true;
    if (!lines_->is_front(job)) return true; // a job behind an identical one cannot start
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
            !pools_->room().fits_now(pool, job, context_->estimates.waiting(job)))
            return false;
        if (try_start(job, pool)) // its start may exhaust a head's limit
            return !context_->layout->counts_queued &&
                   !(context_->eligibility.has_limits() && has_lost_some_head());
    }
    return true;
}

bool PoolSweep::settle_behind_kept(PoolId pool, std::span<const JobId> arrived) {
    const Asked& asked = asked_[pool];
    if (!asked.blocked() || !pools_->machine().nodes()->refused().all_reserved_later())
        return false;
    std::vector<JobId> jobs(arrived.begin(), arrived.end());
    const auto precedes = [&](JobId a, JobId b) { return context_->key(a) < context_->key(b); };
    std::erase_if(jobs, [&](JobId job) { return !lines_->waits(job); });
    std::sort(jobs.begin(), jobs.end(), precedes);
    if (jobs.empty() || !precedes(asked.last_blocked, jobs.front())) return false;
    line_ = 0;
    for (const JobId job : jobs)
        if (lines_->is_front(job) && context_->is_eligible(job)) try_start(job, pool);
    return std::none_of(respected_.begin(), respected_.end(), [&](JobId job) {
        return lines_->waits(job) && !context_->is_eligible(job);
    });
}

void PoolSweep::sweep_without_limits(const Cluster& cluster) {
    context_->lifted = true;
    sweep(cluster);
    context_->lifted = false;
}

void PoolSweep::touch_lost_heads() {
    for (PoolId pool = 0; pool < pools_->plans().size(); ++pool)
        if (has_lost_head(pool)) events_->touch(pool);
}

void PoolSweep::forget_deadlines() {
    std::fill(deadlines_.begin(), deadlines_.end(), Deadline{});
}

} // namespace slotwise
