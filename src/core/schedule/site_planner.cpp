#include "schedule/site_planner.hpp"

#include "schedule/slowdown_threshold.hpp"

#include <algorithm>

namespace slotwise {

SitePlanner::Layout::Layout(const ReplayContext& context)
    : site(completed(context.site)), orders(site, context.jobs), has_choice(false),
      has_calendar(site.has_calendar()) {
    for (const Queue& queue : site.queues)
        has_choice = has_choice || (!queue.spanning && queue.pools.size() > 1);
}

SitePlanner::SitePlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing)
    : context_(context), routing_(std::move(routing)),
      layout_(std::make_shared<const Layout>(context)), beliefs_(context_),
      ends_(context_, beliefs_), eligibility_(layout_->site, context.jobs, *routing_),
      heads_(layout_->site.queues.size()), waits_(context.jobs.size(), 0),
      pool_of_(context.jobs.size(), kAnyPool), calendar_(layout_->site, context.jobs.first_submit),
      outages_(layout_->site), running_(layout_->has_calendar ? context.jobs.size() : 0),
      in_advance_(layout_->site.queues.size()) {
    for (const Pool& pool : layout_->site.pools)
        pools_.emplace_back(pool.processors, context.jobs.first_submit);
    outages_.announce(pools_);
    asked_.resize(pools_.size());
    make_lines();
}

SitePlanner::SitePlanner(const SitePlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), routing_(other.routing_), layout_(other.layout_),
      beliefs_(other.beliefs_), ends_(other.ends_), eligibility_(other.eligibility_),
      pools_(other.pools_), lines_(other.lines_), lines_of_(other.lines_of_), heads_(other.heads_),
      waiting_(other.waiting_), starving_(other.starving_), waits_(other.waits_),
      pool_of_(other.pool_of_), n_waiting_(other.n_waiting_), calendar_(other.calendar_),
      outages_(other.outages_), running_(other.running_), last_active_(other.last_active_),
      n_left_(other.n_left_), timers_(other.timers_), in_advance_(other.in_advance_),
      shares_(other.shares_), asked_(other.asked_) {
    beliefs_.rebind(context_);
    ends_.rebind(context_);
}

void SitePlanner::make_lines() {
    const std::vector<Queue>& queues = layout_->site.queues;
    lines_of_.resize(queues.size());
    std::size_t most = 0;
    for (const Queue& queue : queues)
        most = std::max(most, queue.spanning ? 0 : queue.pools.size());
    for (std::size_t choice = 0; choice < most; ++choice) {
        for (std::size_t p = 0; p < pools_.size(); ++p) {
            const auto pool = static_cast<PoolId>(p);
            bool asked = false;
            for (std::size_t q = 0; q < queues.size(); ++q) {
                const Queue& queue = queues[q];
                if (queue.spanning || choice >= queue.pools.size() || queue.pools[choice] != pool)
                    continue;
                lines_of_[q].push_back(lines_.size());
                asked = true;
            }
            if (asked) lines_.push_back({pool, {}, {}});
        }
    }
}

bool SitePlanner::drifts() const {
    return layout_->orders.drifts() || beliefs_.can_be_outlived() || beliefs_.waiting_drift();
}

void SitePlanner::describe(Schedule& schedule) const {
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (std::size_t job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(routing_->queue_of[job]);
        schedule.pool[job] = static_cast<std::int16_t>(pool_of_[job]);
    }
    schedule.capacity = outages_.capacity();
}

void SitePlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    for (PoolPlan& pool : pools_)
        pool.advance(now_);
    if (!running_.empty() || !instant.arrived.empty()) last_active_ = now_;
    finish(instant.ended);
    follow_calendar();
    for (const JobId job : instant.arrived)
        enqueue(job);
    correct_estimates();
    timers_.fire(now_, [&](const Timers::Timer& timer) { fire(timer); });
    if (n_waiting_ > 0) {
        reserve_in_advance();
        sweep_until_settled();
        if (layout_->site.limits.lifted_when_idle && !any_eligible()) start_when_idle();
    }
    tidy();
    due_ = next_instant();
}

void SitePlanner::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        vacate(job);
        note_over(job, context_.schedule.start[job] + context_.jobs.run_time[job]);
    }
    beliefs_.note_ended(ended);
}

// A job is over for good; others may have waited for that.
void SitePlanner::note_over(JobId job, Time end) {
    eligibility_.note_ended(job, end, [&](JobId dependent, Time opens) {
        if (waits_[dependent] != 0)
            timers_.set({opens, dependent, Timers::Kind::depends_on, kAnyPool});
    });
}

// A running job gives its processors back.
void SitePlanner::vacate(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const Time end = ends_.of(job, beliefs_);
    ends_.forget(job);
    if (layout_->has_calendar) running_.erase(job);
    if (pool_of_[job] != kAnyPool) {
        pools_[pool_of_[job]].vacate(end, processors);
    } else {
        for (const PoolShare& share : shares_[job])
            pools_[share.pool].vacate(end, share.processors);
        shares_.erase(job);
    }
    eligibility_.note_stopped(job, routing_->queue_of[job], processors);
}

void SitePlanner::correct_estimates() {
    ends_.correct(now_, [&](JobId job, Time, Time end) {
        if (pool_of_[job] != kAnyPool) {
            pools_[pool_of_[job]].prolong(end, context_.jobs.processors[job]);
            return;
        }
        for (const PoolShare& share : shares_[job])
            pools_[share.pool].prolong(end, share.processors);
    });
}

// `job` waits from now on, with its own submit.
void SitePlanner::enqueue(JobId job) {
    const QueueId q = routing_->queue_of[job];
    const Queue& queue = layout_->site.queues[q];
    ++n_waiting_;
    waits_[job] = 1;
    eligibility_.note_waiting(job, q);
    if (layout_->site.limits.lifted_when_idle)
        waiting_.insert(std::lower_bound(waiting_.begin(), waiting_.end(), job), job);
    const QueueOrders::Key key = layout_->orders.key(context_.jobs, job, q);
    if (queue.spanning) heads_[q].insert(job, key);
    for (const std::size_t at : lines_of_[q])
        if (!layout_->site.pools[lines_[at].pool].has_threshold)
            lines_[at].waiting.insert(job, key);
    watch(job);
}

// Sets the timers of a job that begins to wait; those that are due already fire in this pass.
void SitePlanner::watch(JobId job) {
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
        if (!pool.has_threshold || pool.processors < context_.jobs.processors[job]) continue;
        const Time at = is_open(p, job) ? now_
                                        : passes_at(now_, submit, context_.jobs.requested_time[job],
                                                    queue, pool.threshold);
        if (at != kNever) timers_.set({at, job, Timers::Kind::passes, p});
    }
}

void SitePlanner::fire(const Timers::Timer& timer) {
    const auto insert = [&](std::vector<JobId>& jobs) {
        const auto at = std::lower_bound(jobs.begin(), jobs.end(), timer.job);
        if (at == jobs.end() || *at != timer.job) jobs.insert(at, timer.job);
    };
    if (waits_[timer.job] == 0) return;
    if (timer.kind == Timers::Kind::starves) {
        waits_[timer.job] = 2;
        insert(starving_);
    } else if (timer.kind == Timers::Kind::passes) {
        for (const std::size_t at : lines_of_[routing_->queue_of[timer.job]])
            if (lines_[at].pool == timer.pool) insert(lines_[at].passed);
    }
}

void SitePlanner::leave_queue(JobId job) {
    waits_[job] = 0;
    --n_waiting_;
    ++n_left_;
}

void SitePlanner::cancel(JobId job) {
    eligibility_.note_cancelled(job, routing_->queue_of[job]);
    leave_queue(job);
    tidy();
}

// Takes the jobs that left the queue out of the lines.
void SitePlanner::tidy() {
    if (n_left_ == 0) return;
    n_left_ = 0;
    const auto waits = [&](JobId job) { return waits_[job] != 0; };
    for (Line& line : lines_) {
        line.waiting.keep(waits);
        std::erase_if(line.passed, [&](JobId job) { return !waits(job); });
    }
    for (WaitingLine& heads : heads_)
        heads.keep(waits);
    for (std::vector<JobId>* jobs : {&waiting_, &starving_})
        std::erase_if(*jobs, [&](JobId job) { return !waits(job); });
}

void SitePlanner::start(JobId job, PoolId pool, bool past_another) {
    const ProcCount processors = context_.jobs.processors[job];
    pools_[pool].occupy(ends_.start(job, now_, beliefs_.running(job)), processors);
    pool_of_[job] = pool;
    if (layout_->has_calendar) running_.insert(job);
    eligibility_.note_started(job, routing_->queue_of[job], processors);
    leave_queue(job);
    starts_->add(job, past_another);
}

Time SitePlanner::next_instant() {
    Time next = timers_.next([&](JobId job) { return waits_[job] != 0; });
    next = std::min(next, eligibility_.next_opening(now_));
    if (layout_->has_calendar) next = std::min(next, next_change());
    for (const AdvanceReservation& reservation : in_advance_)
        next = std::min(next, reservation.from);
    return next;
}

} // namespace slotwise
