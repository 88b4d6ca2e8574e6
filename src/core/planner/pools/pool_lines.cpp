// PoolsPlanner: the lines waiting jobs stand in, and what time alone changes for them.
#include "admission/slowdown_threshold.hpp"
#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

void insert_ascending(std::vector<JobId>& jobs, JobId job) {
    const auto at = std::lower_bound(jobs.begin(), jobs.end(), job);
    if (at == jobs.end() || *at != job) jobs.insert(at, job);
}

} // namespace

void PoolsPlanner::enter_lines(JobId job) {
    const QueueId q = routing_->queue_of[job];
    if (layout_->site.queues[q].spanning)
        heads_[q].insert(entry_of(job));
    else if (!falls_in(job))
        lead(job);
    if (!layout_->has_promises || !may_hold_promise(job)) return;
    of_promises_[layout_->promises_from[q]].insert(entry_of(job));
    unpromised_.push_back(job);
}

// The job that leads in its place, or kNoJob.
JobId PoolsPlanner::leave_lines(JobId job) {
    const QueueId q = routing_->queue_of[job];
    if (layout_->site.queues[q].spanning) {
        heads_[q].erase(layout_->orders.key(context_.jobs, job, q));
        return kNoJob;
    }
    if (layout_->has_promises && may_hold_promise(job)) leave_promises(job);
    if (rows_.is_front(job)) lead_no_longer(job);
    const JobId next = rows_.leave(job);
    if (next != kNoJob) lead(next);
    return next;
}

// Whether the job waits behind one that is alike, so that it need not be looked at as yet. What
// holds or delays a single job is none of its row's.
bool PoolsPlanner::falls_in(JobId job) {
    const QueueId q = routing_->queue_of[job];
    if (!layout_->forms_rows[q] || eligibility_.is_held(job) || eligibility_.opens(job) > now_)
        return false;
    const ReplayJobs& jobs = context_.jobs;
    std::uint32_t hash = static_cast<std::uint32_t>(jobs.processors[job]) * 0x85EBCA6BU + q;
    hash = (hash ^ jobs.requested_time[job]) * 0x9E3779B1U;
    if (eligibility_.has_limits())
        hash = (hash ^ static_cast<std::uint32_t>(jobs.user(job))) * 0x85EBCA6BU;
    return !rows_.enter(job, hash >> 16U, [&](JobId last) { return follows(job, last); });
}

// Whether it comes after `last` and may start only where that might have.
bool PoolsPlanner::follows(JobId job, JobId last) const {
    const ReplayJobs& jobs = context_.jobs;
    const QueueId q = routing_->queue_of[job];
    return job > last && routing_->queue_of[last] == q &&
           jobs.processors[last] == jobs.processors[job] &&
           jobs.requested_time[last] == jobs.requested_time[job] &&
           estimates_.waiting(last) == estimates_.waiting(job) &&
           (!eligibility_.has_limits() ||
            (jobs.user(last) == jobs.user(job) && jobs.group(last) == jobs.group(job))) &&
           layout_->orders.are_in_turn(jobs, last, job, q);
}

PoolQueue::Entry PoolsPlanner::entry_of(JobId job) const {
    // What is left of a job after a checkpoint is known only when the loop has stopped it.
    const bool may_change = estimates_.waiting_drift() ||
                            layout_->site.interruption.requeue == Requeue::from_checkpoint;
    return {layout_->orders.key(context_.jobs, job, routing_->queue_of[job]), job,
            context_.jobs.processors[job], may_change ? 0 : estimates_.waiting(job)};
}

// The job is looked at from now on.
void PoolsPlanner::lead(JobId job) {
    if (starves(job)) {
        ++n_starving_[routing_->queue_of[job]];
        return insert_ascending(starving_, job);
    }
    const PoolQueue::Entry entry = entry_of(job);
    for (const std::size_t at : layout_->lines_of[routing_->queue_of[job]]) {
        const PoolId pool = layout_->lines[at].pool;
        if (!layout_->site.pools[pool].has_threshold)
            lines_[at].waiting.insert(entry);
        else if (is_open(pool, job))
            insert_ascending(lines_[at].passed, job);
    }
}

void PoolsPlanner::lead_no_longer(JobId job) {
    const QueueId queue = routing_->queue_of[job];
    const PoolQueue::Key key = layout_->orders.key(context_.jobs, job, queue);
    if (starves(job)) --n_starving_[queue];
    for (const std::size_t at : layout_->lines_of[queue]) {
        if (layout_->site.pools[layout_->lines[at].pool].has_threshold)
            lines_[at].is_stale = true;
        else if (!starves(job))
            lines_[at].waiting.erase(key);
    }
}

// Sets the timers of a job that begins to wait; those that are due already fire in this pass.
void PoolsPlanner::watch(JobId job) {
    const Queue& queue = queue_of(job);
    const Time submit = context_.jobs.submit(job);
    if (queue.starvation != kNever)
        timers_.set({submit + queue.starvation, job, Timers::Kind::starves, kAnyPool});
    const Time opens = eligibility_.opens(job);
    if (opens != kNever && opens > now_)
        timers_.set({opens, job, Timers::Kind::depends_on, kAnyPool});
    if (queue.spanning) return;
    for (const PoolId p : queue.pools) {
        const Pool& pool = layout_->site.pools[p];
        if (!pool.has_threshold || pool.processors < context_.jobs.processors[job] ||
            !routing_->fits_now(p, job))
            continue;
        const Time at = is_open(p, job) ? now_
                                        : passes_at(now_, submit, context_.jobs.requested_time[job],
                                                    queue, pool.threshold);
        if (at != kNever) timers_.set({at, job, Timers::Kind::passes, p});
    }
}

void PoolsPlanner::fire(const Timers::Timer& timer) {
    const JobId job = timer.job;
    if (!waits(job)) return;
    patience_.renew();
    const QueueId queue = routing_->queue_of[job];
    touched_[layout_->cluster_of_queue(queue)] = Touched::otherwise;
    const bool spans = layout_->site.queues[queue].spanning;
    const bool leads = !spans && rows_.is_front(job);
    if (leads) note_due(queue);
    if (timer.kind == Timers::Kind::starves && !starves(job)) {
        if (leads) lead_no_longer(job);
        standing_[job] = Standing::starving;
        if (leads) lead(job);
        if (spans) insert_ascending(starving_spanning_, job);
    } else if (timer.kind == Timers::Kind::passes && leads && !starves(job)) {
        for (const std::size_t at : layout_->lines_of[queue])
            if (layout_->lines[at].pool == timer.pool) insert_ascending(lines_[at].passed, job);
    }
}

// The job that leads in its place, or kNoJob.
JobId PoolsPlanner::leave_queue(JobId job) {
    const JobId next = leave_lines(job);
    standing_[job] = Standing::elsewhere;
    --n_waiting_;
    has_stale_ = true;
    return next;
}

void PoolsPlanner::note_due(QueueId queue) {
    for (const std::size_t at : layout_->lines_of[queue])
        is_due_[layout_->lines[at].pool] = 1;
}

// Takes the jobs that left the queue out of the lines.
void PoolsPlanner::tidy() {
    if (!has_stale_) return;
    has_stale_ = false;
    const auto has_left = [&](JobId job) { return !waits(job); };
    for (Line& line : lines_) {
        line.waiting.tidy();
        if (line.is_stale) std::erase_if(line.passed, has_left);
        line.is_stale = false;
    }
    for (PoolQueue& line : of_promises_)
        line.tidy();
    std::erase_if(waiting_, has_left);
    std::erase_if(starving_, has_left);
    if (!layout_->has_spanning) return;
    for (PoolQueue& heads : heads_)
        heads.tidy();
    std::erase_if(starving_spanning_, has_left);
}

} // namespace slotwise
