#include "planner/pools/pool_lines.hpp"

#include "admission/slowdown_threshold.hpp"

#include <algorithm>

namespace slotwise {

namespace {

void insert_ascending(std::vector<JobId>& jobs, JobId job) {
    const auto at = std::lower_bound(jobs.begin(), jobs.end(), job);
    if (at == jobs.end() || *at != job) jobs.insert(at, job);
}

PoolQueue::Key key_of_age(JobId job) {
    return {0, 0, 0, job};
}

PoolQueue::Entry entry_by_age(const PoolsContext& context, JobId job) {
    PoolQueue::Entry entry = context.entry_of(job);
    entry.key = key_of_age(job);
    return entry;
}

// Returns true if the timers of a job that has just begun to wait cannot fire at the current
// instant, so that they can be set later. Most of these jobs start in the same pass and never need
// timers.
bool may_watch_later(const PoolsContext& context, JobId job) {
    return context.now == context.jobs.submit(job) && context.queue_of(job).starvation > 0 &&
           !context.layout->site.dependencies;
}

} // namespace

PoolLines::PoolLines(PoolsContext& context, PoolEvents& events)
    : context_(&context), events_(&events), lines_(context.layout->lines.size()),
      heads_(context.layout->site.queues.size()), identical_(context.jobs.size()),
      starving_in_(context.layout->site.queues.size()),
      starving_for_(context.layout->site.pools.size()),
      standing_(context.jobs.size(), Standing::elsewhere),
      n_starving_changes_in_(context.layout->site.queues.size(), 0) {
    make_by_shape();
}

void PoolLines::make_by_shape() {
    const PoolsLayout& layout = *context_->layout;
    const JobShapes* shapes = context_->routing->shapes.get();
    if (shapes == nullptr || layout.may_change || layout.orders.drifts() ||
        context_->estimates.waiting_drift() ||
        layout.site.interruption.requeue == Requeue::from_checkpoint)
        return;
    by_shape_.emplace(shapes->numbers(), shapes->size(),
                      [&](JobId a, JobId b) { return context_->key(a) < context_->key(b); });
}

void PoolLines::rebind(PoolsContext& context, PoolEvents& events) {
    context_ = &context;
    events_ = &events;
}

void PoolLines::join(JobId job) {
    const QueueId q = context_->routing->queue_of[job];
    ++n_waiting_;
    standing_[job] = Standing::waiting;
    if (context_->layout->site.queues[q].spanning)
        events_->touch_cluster(context_->layout->cluster_of_queue(q));
    else
        events_->note_arrival(q);
    context_->eligibility.note_waiting(job, q);
    if (lists_all_) listed_.insert(std::lower_bound(listed_.begin(), listed_.end(), job), job);
    enter(job);
    if (identical_.is_front(job)) events_->mark_due(job, q, false);
    if (may_watch_later(*context_, job))
        unwatched_.push_back(job);
    else
        watch(job, context_->now);
}

JobId PoolLines::leave(JobId job) {
    const JobId next = step_out(job);
    standing_[job] = Standing::elsewhere;
    --n_waiting_;
    events_->note_left();
    const QueueId queue = context_->routing->queue_of[job];
    if (stale_.empty() || stale_.back() != queue) stale_.push_back(queue);
    return next;
}

void PoolLines::enter(JobId job) {
    const QueueId q = context_->routing->queue_of[job];
    if (!context_->layout->site.queues[q].spanning) {
        if (!falls_in(job)) enter_lines(job);
        return;
    }
    heads_[q].insert(context_->entry_of(job));
    ++n_spanning_changes_;
}

JobId PoolLines::step_out(JobId job) {
    const QueueId q = context_->routing->queue_of[job];
    if (context_->layout->site.queues[q].spanning) {
        heads_[q].erase(context_->key(job));
        ++n_spanning_changes_;
        return kNoJob;
    }
    if (identical_.is_front(job)) leave_lines(job);
    const JobId next = identical_.leave(job);
    if (next != kNoJob) enter_lines(next);
    return next;
}

void PoolLines::order_anew() {
    for (PoolLine& line : lines_)
        line = {};
    for (PoolQueue& heads : heads_)
        heads = {};
    listed_.clear();
    starving_.clear();
    for (PoolQueue& starving : starving_in_)
        starving = {};
    for (PoolQueue& starving : starving_for_)
        starving = {};
    identical_ = IdenticalJobs(standing_.size());
    for (JobId job = 0; job < standing_.size(); ++job) {
        if (!waits(job)) continue;
        enter(job);
        if (lists_all_) listed_.push_back(job);
    }
}

// Adds the job to a row of identical jobs, or to a new row. Returns true if it waits behind another
// job of its row, and therefore is not tried yet. Held and delayed jobs are not added to a row.
bool PoolLines::falls_in(JobId job) {
    const Eligibility& eligibility = context_->eligibility;
    const QueueId q = context_->routing->queue_of[job];
    if (!context_->layout->groups_identical[q] || eligibility.is_held(job) ||
        eligibility.opens(job) > context_->now)
        return false;
    const ReplayJobs& jobs = context_->jobs;
    std::uint32_t hash = static_cast<std::uint32_t>(jobs.processors[job]) * 0x85EBCA6BU + q;
    hash = (hash ^ jobs.requested_time[job]) * 0x9E3779B1U;
    if (const JobShapes* shapes = context_->routing->shapes.get())
        hash = (hash ^ shapes->number_of(job)) * 0x85EBCA6BU;
    if (eligibility.has_limits())
        hash = (hash ^ static_cast<std::uint32_t>(jobs.user(job))) * 0x85EBCA6BU;
    return !identical_.enter(job, hash >> 16U, [&](JobId last) { return follows(job, last); });
}

// Returns true if the job comes after `last`, and can start only if `last` can.
bool PoolLines::follows(JobId job, JobId last) const {
    const ReplayJobs& jobs = context_->jobs;
    const std::vector<QueueId>& queue_of = context_->routing->queue_of;
    const QueueId q = queue_of[job];
    return job > last && queue_of[last] == q && jobs.processors[last] == jobs.processors[job] &&
           jobs.requested_time[last] == jobs.requested_time[job] &&
           (context_->routing->shapes == nullptr ||
            context_->routing->shapes->number_of(last) ==
                context_->routing->shapes->number_of(job)) &&
           context_->estimates.waiting(last) == context_->estimates.waiting(job) &&
           (!context_->eligibility.has_limits() ||
            context_->eligibility.have_same_owners(last, job)) &&
           context_->layout->orders.are_in_turn(jobs, last, job, q);
}

// Adds the job to the lines, so that it is tried from now on.
void PoolLines::enter_lines(JobId job) {
    const PoolsLayout& layout = *context_->layout;
    const QueueId queue = context_->routing->queue_of[job];
    if (starves(job)) {
        const PoolQueue::Entry entry = entry_by_age(*context_, job);
        starving_in_[queue].insert(entry);
        for (const PoolId pool : layout.site.queues[queue].pools)
            if (context_->is_open(pool, job)) starving_for_[pool].insert(entry);
        note_starving(queue);
        if (layout.has_promises) insert_ascending(starving_, job);
        return;
    }
    const PoolQueue::Entry entry = context_->entry_of(job);
    if (by_shape_) by_shape_->insert(job, entry.length);
    for (const std::size_t at : layout.lines_of[queue]) {
        const PoolId pool = layout.lines[at].pool;
        if (!layout.site.pools[pool].has_threshold)
            lines_[at].waiting.insert(entry);
        else if (context_->is_open(pool, job))
            insert_ascending(lines_[at].passed, job);
    }
}

void PoolLines::leave_lines(JobId job) {
    const PoolsLayout& layout = *context_->layout;
    const QueueId queue = context_->routing->queue_of[job];
    const PoolQueue::Key key = context_->key(job);
    if (starves(job)) {
        starving_in_[queue].erase(key_of_age(job));
        for (const PoolId pool : layout.site.queues[queue].pools)
            starving_for_[pool].erase(key_of_age(job));
        note_starving(queue);
    } else if (by_shape_) {
        by_shape_->erase(job);
    }
    for (const std::size_t at : layout.lines_of[queue]) {
        if (layout.site.pools[layout.lines[at].pool].has_threshold)
            lines_[at].is_stale = true;
        else if (!starves(job))
            lines_[at].waiting.erase(key);
    }
}

// Sets the timers of a job that began to wait at `since`. Timers whose time has come fire in this
// pass.
void PoolLines::watch(JobId job, Time since) {
    const Queue& queue = context_->queue_of(job);
    const Time submit = context_->jobs.submit(job);
    if (queue.starvation != kNever)
        timers_.set({submit + queue.starvation, job, Timers::Kind::starves, kAnyPool});
    const Time opens = context_->eligibility.opens(job);
    if (opens != kNever && opens > since) note_opened(job, opens);
    if (queue.spanning) return;
    for (const PoolId p : queue.pools) {
        const Pool& pool = context_->layout->site.pools[p];
        if (!pool.has_threshold || pool.processors < context_->jobs.processors[job] ||
            !context_->routing->fits_now(p, job))
            continue;
        const Time at = since > submit && context_->is_open(p, job)
                            ? since
                            : passes_at(since, submit, context_->jobs.requested_time[job], queue,
                                        pool.threshold);
        if (at != kNever) timers_.set({at, job, Timers::Kind::passes, p});
    }
}

void PoolLines::note_opened(JobId job, Time opens) {
    timers_.set({opens, job, Timers::Kind::depends_on, kAnyPool});
}

bool PoolLines::fire_timers() {
    const Time now = context_->now;
    if (!unwatched_.empty() && context_->jobs.submit(unwatched_.front()) < now) next_timer();
    bool any = false;
    timers_.fire(now, [&](const Timers::Timer& timer) {
        if (!waits(timer.job)) return;
        any = true;
        fire(timer);
    });
    return any;
}

// Sets the timers of new jobs, then returns the time of the first timer.
Time PoolLines::next_timer() {
    for (const JobId job : unwatched_)
        if (waits(job)) watch(job, context_->jobs.submit(job));
    unwatched_.clear();
    return timers_.next([&](JobId job) { return waits(job); });
}

void PoolLines::fire(const Timers::Timer& timer) {
    const PoolsLayout& layout = *context_->layout;
    const JobId job = timer.job;
    const QueueId queue = context_->routing->queue_of[job];
    const std::size_t cluster = layout.cluster_of_queue(queue);
    const bool spans = layout.site.queues[queue].spanning;
    const bool leads = !spans && identical_.is_front(job);
    const bool opens_pool = timer.kind == Timers::Kind::passes;
    if (!opens_pool || !layout.clusters[cluster].keeps_bounds) events_->touch_cluster(cluster);
    if (leads && opens_pool)
        events_->touch(timer.pool);
    else if (leads)
        events_->mark_due(job, queue, timer.kind == Timers::Kind::starves || starves(job));
    if (timer.kind == Timers::Kind::starves && !starves(job)) {
        if (leads) leave_lines(job);
        standing_[job] = Standing::starving;
        if (leads) enter_lines(job);
        if (spans) {
            insert_ascending(starving_spanning_, job);
            ++n_spanning_changes_;
        }
    } else if (opens_pool && leads && starves(job)) {
        starving_for_[timer.pool].insert(entry_by_age(*context_, job));
    } else if (opens_pool && leads) {
        for (const std::size_t at : layout.lines_of[queue])
            if (layout.lines[at].pool == timer.pool) insert_ascending(lines_[at].passed, job);
    }
}

bool PoolLines::tidy() {
    if (stale_.empty()) return false;
    const PoolsLayout& layout = *context_->layout;
    const auto has_left = [&](JobId job) { return !waits(job); };
    for (const QueueId queue : stale_) {
        heads_[queue].tidy();
        for (const std::size_t at : layout.lines_of[queue]) {
            PoolLine& line = lines_[at];
            line.waiting.tidy();
            if (line.is_stale) std::erase_if(line.passed, has_left);
            line.is_stale = false;
        }
        starving_in_[queue].tidy();
        for (const PoolId pool : layout.site.queues[queue].pools)
            starving_for_[pool].tidy();
    }
    stale_.clear();
    std::erase_if(listed_, has_left);
    std::erase_if(starving_, has_left);
    std::erase_if(starving_spanning_, has_left);
    return true;
}

bool PoolLines::any_eligible() const {
    return std::any_of(listed_.begin(), listed_.end(), [&](JobId job) {
        return waits(job) && is_front(job) && context_->is_eligible(job);
    });
}

JobId PoolLines::oldest_starving(std::span<const QueueId> spanning) const {
    const auto is_asked = [&](QueueId queue) {
        return std::find(spanning.begin(), spanning.end(), queue) != spanning.end();
    };
    for (const JobId job : starving_spanning_)
        if (waits(job) && is_asked(context_->routing->queue_of[job]) && context_->is_eligible(job))
            return job;
    return kNoJob;
}

JobId PoolLines::head_of(QueueId spanning) {
    if (heads_[spanning].empty()) return kNoJob;
    if (const JobId oldest = oldest_starving({&spanning, 1}); oldest != kNoJob) return oldest;
    const PoolQueue& line = heads_[spanning];
    const BackfillBounds anybody = PoolQueue::any(context_->replay.processors);
    if (const Order* order = context_->layout->orders.drifting(spanning)) {
        for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
            to = line.end_of_group(from); // jobs in a group have equal manual priority
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                if (const JobId job = scored_.take_highest(); context_->is_eligible(job))
                    return job;
        }
        return kNoJob;
    }
    for (PoolQueue::Position at = line.next(0, anybody); at < line.end();
         at = line.next(at + 1, anybody))
        if (context_->is_eligible(line.job(at))) return line.job(at);
    return kNoJob;
}

ScoreHeap& PoolLines::score(const PoolQueue& line, PoolQueue::Position from, PoolQueue::Position to,
                            const BackfillBounds& bounds, const Order& order) {
    std::vector<JobId>& jobs = scored_.listed();
    jobs.clear();
    // If limits count waiting jobs, starting a job may make the next job of the same user eligible.
    // Otherwise, no job becomes eligible during this pass.
    const bool may_ease = context_->layout->counts_queued;
    line.for_each(from, to, bounds, [&](JobId job) {
        if (may_ease || context_->is_eligible(job)) jobs.push_back(job);
    });
    scored_.score(order, context_->jobs, context_->now);
    return scored_;
}

std::vector<JobId> PoolLines::jobs_in_order(const PoolQueue& line) {
    const BackfillBounds anybody = PoolQueue::any(context_->replay.processors);
    std::vector<JobId> jobs;
    for (PoolQueue::Position from = 0, to; from < line.end(); from = to) {
        to = line.end_of_group(from);
        if (const Order* order = context_->layout->orders.drifting(line.key(from).group)) {
            score(line, from, to, anybody, *order);
            while (!scored_.empty())
                jobs.push_back(scored_.take_highest());
        } else {
            line.for_each(from, to, anybody, [&](JobId job) { jobs.push_back(job); });
        }
    }
    return jobs;
}

} // namespace slotwise
