#include "schedule/site_planner.hpp"

#include "schedule/slowdown_threshold.hpp"

#include <algorithm>

namespace slotwise {

SitePlanner::SitePlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing,
                         std::shared_ptr<Dispatcher> dispatcher)
    : context_(context), routing_(std::move(routing)),
      layout_(std::make_shared<const SiteLayout>(context)), first_layout_(layout_),
      beliefs_(context_), ends_(context_, beliefs_),
      drifts_(layout_->orders.drifts() || beliefs_.can_be_outlived() || beliefs_.waiting_drift()),
      eligibility_(layout_->site, context.jobs, *routing_), lines_(layout_->lines.size()),
      heads_(layout_->site.queues.size()), standing_(context.jobs.size(), Standing::elsewhere),
      of_promises_(layout_->site.pools.size()), pool_of_(context.jobs.size(), kAnyPool),
      in_advance_(layout_->site.queues.size()), calendar_(layout_->site, context.jobs.first_submit),
      outages_(layout_->site), reservations_(layout_->site),
      running_(layout_->has_calendar ? context.jobs.size() : 0),
      deadlines_(layout_->site.pools.size()), has_opened_(layout_->site.pools.size(), 0),
      touched_(layout_->clusters.size()), is_settled_(layout_->clusters.size(), 0),
      asked_(layout_->site.pools.size()), rooms_(layout_->site.pools.size()),
      is_passed_(layout_->site.pools.size(), 0) {
    if (layout_->may_change) beliefs_.learn_ahead();
    const Duration horizon = horizon_of(context.jobs.requested_time);
    for (std::size_t p = 0; p < layout_->site.pools.size(); ++p)
        pools_.emplace_back(layout_->site.pools[p].processors, context.jobs.first_submit, horizon,
                            layout_->is_stepped[p]);
    outages_.announce(pools_);
    reservations_.announce(pools_);
    if (dispatcher != nullptr) dispatch_.emplace(std::move(dispatcher));
}

SitePlanner::SitePlanner(const SitePlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), routing_(other.routing_), layout_(other.layout_),
      first_layout_(other.first_layout_), beliefs_(other.beliefs_), ends_(other.ends_),
      drifts_(other.drifts_), dispatch_(other.dispatch_), log_(other.log_), past_(other.past_),
      eligibility_(other.eligibility_), lines_(other.lines_), heads_(other.heads_),
      waiting_(other.waiting_), starving_(other.starving_),
      starving_spanning_(other.starving_spanning_), standing_(other.standing_),
      n_waiting_(other.n_waiting_), promises_(other.promises_), of_promises_(other.of_promises_),
      unpromised_(other.unpromised_), has_stale_(other.has_stale_), timers_(other.timers_),
      next_opening_(other.next_opening_), pools_(other.pools_), pool_of_(other.pool_of_),
      shares_(other.shares_), in_advance_(other.in_advance_), calendar_(other.calendar_),
      outages_(other.outages_), reservations_(other.reservations_), running_(other.running_),
      last_active_(other.last_active_), spans_(other.spans_), deadlines_(other.deadlines_),
      has_opened_(other.has_opened_), touched_(other.touched_), is_settled_(other.is_settled_),
      asked_(other.asked_), rooms_(other.rooms_), is_passed_(other.is_passed_) {
    beliefs_.rebind(context_);
    ends_.rebind(context_);
}

void SitePlanner::describe(Schedule& schedule) const {
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (std::size_t job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(routing_->queue_of[job]);
        schedule.pool[job] = static_cast<std::int16_t>(pool_of_[job]);
    }
    schedule.has_calendar = layout_->has_calendar;
    schedule.capacity = outages_.capacity();
    schedule.spans = spans_;
}

void SitePlanner::pass(const Instant& instant, Starts& starts) {
    follow(instant, starts);
    correct_estimates();
    timers_.fire(now_, [&](const Timers::Timer& timer) { fire(timer); });
    if (dispatch_) {
        ask_outside();
        tidy();
        due_ = dispatch_->asks_again ? now_ : next_instant();
        return;
    }
    if (drifts_ || now_ >= next_opening_) touch_all();
    for (const AdvanceReservation& reservation : in_advance_)
        if (reservation.from <= now_) touch(reservation.shares.front().pool);
    promises_.for_each_until(now_, [&](JobId, const PoolPromise& due) { touch(due.pool); });
    has_dropped_ = false;
    const std::size_t n_waiting_before = n_waiting_;
    if (n_waiting_ > 0) {
        if (reservations_.any()) start_in_reservations();
        for (std::size_t at = 0; at < touched_.size(); ++at)
            if (touched_[at] != Touched::not_at_all) plan(at, instant.arrived);
    }
    bool goes_on = false;
    for (std::size_t at = 0; at < touched_.size(); ++at) {
        if (touched_[at] == Touched::otherwise && n_waiting_before == 0) is_settled_[at] = 0;
        const Cluster& cluster = layout_->clusters[at];
        const bool again = (cluster.may_go_on && !starts.jobs.empty()) ||
                           (has_dropped_ && cluster.spanning.size() > 1);
        touched_[at] = again ? Touched::otherwise : Touched::not_at_all;
        goes_on = goes_on || again;
    }
    tidy();
    due_ = next_instant();
    if (goes_on && n_waiting_ > 0 && context_.policy.passes == Passes::periodic) due_ = now_;
}

// Everything of an instant but its starts.
void SitePlanner::follow(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    for (PoolPlan& pool : pools_)
        pool.advance(now_);
    if (!running_.empty() || !instant.arrived.empty()) last_active_ = now_;
    finish(instant.ended);
    // Under passes per event the completion may not be the last of its instant.
    if (context_.policy.passes != Passes::per_event || instant.ended.empty()) follow_calendar();
    for (const JobId job : instant.arrived)
        enqueue(job);
    if (dispatch_) dispatch_->note(instant, starts.stops);
}

void SitePlanner::touch_all() {
    std::fill(touched_.begin(), touched_.end(), Touched::otherwise);
}

void SitePlanner::plan(std::size_t at, std::span<const JobId> arrived) {
    const Cluster& cluster = layout_->clusters[at];
    if (touched_[at] == Touched::by_an_arrival && is_settled_[at] != 0 && arrived.size() == 1 &&
        cluster.settles_arrivals && settle_arrival(arrived[0]))
        return;
    if (!cluster.spanning.empty()) reserve_past_promises(cluster);
    if (layout_->has_promises)
        keep_promises(cluster);
    else
        sweep_until_settled(cluster);
    if (layout_->site.limits.lifted_when_idle && !any_eligible()) start_when_idle(cluster);
    is_settled_[at] = n_waiting_ > 0;
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
        if (waits(dependent)) timers_.set({opens, dependent, Timers::Kind::depends_on, kAnyPool});
    });
}

// A running job gives its processors back.
void SitePlanner::vacate(JobId job, Time end) {
    const ProcCount processors = context_.jobs.processors[job];
    const PoolId pool = pool_of_[job];
    const bool is_inside = pool != kAnyPool && reservations_.is_inside(job);
    const Time started = context_.schedule.start[job];
    const bool opens = end > std::min(started + context_.jobs.run_time[job], now_) ||
                       context_.policy.compress_at_every_end;
    const auto note_room = [&](PoolId its) {
        has_opened_[its] |= static_cast<std::uint8_t>(opens);
        touch(its);
    };
    ends_.forget(job);
    if (layout_->has_calendar) running_.erase(job);
    if (pool == kAnyPool) {
        for (const PoolShare& share : shares_[job]) {
            pools_[share.pool].vacate(end, share.processors);
            note_room(share.pool);
        }
        shares_.erase(job);
    } else {
        if (is_inside)
            reservations_.leave(job, end, processors, pools_[pool]);
        else
            pools_[pool].vacate(end, processors);
        note_room(pool);
    }
    eligibility_.note_stopped(job, routing_->queue_of[job], processors);
}

void SitePlanner::correct_estimates() {
    ends_.correct(
        now_, [&](JobId job, Time planned_end, Time end) { plan_until(job, planned_end, end); });
}

// Until when a running job is planned; where starts are promised for a second at least.
Time SitePlanner::planned_end(JobId job) const {
    const Time end = ends_.of(job, beliefs_);
    return layout_->has_promises ? std::max(end, context_.schedule.start[job] + 1) : end;
}

void SitePlanner::plan_until(JobId job, Time planned_end, Time end) {
    const ProcCount processors = context_.jobs.processors[job];
    const PoolId pool = pool_of_[job];
    if (pool == kAnyPool) {
        for (const PoolShare& share : shares_[job])
            pools_[share.pool].prolong(planned_end, end, share.processors);
    } else if (reservations_.is_inside(job)) {
        reservations_.prolong(job, planned_end, end, processors, pools_[pool]);
    } else {
        pools_[pool].prolong(planned_end, end, processors);
    }
}

// `job` waits from now on, with its own submit.
void SitePlanner::enqueue(JobId job) {
    const QueueId q = routing_->queue_of[job];
    ++n_waiting_;
    standing_[job] = Standing::waiting;
    Touched& touched = touched_[layout_->cluster_of_queue(q)];
    touched = std::max(touched, Touched::by_an_arrival);
    eligibility_.note_waiting(job, q);
    if (keeps_waiting())
        waiting_.insert(std::lower_bound(waiting_.begin(), waiting_.end(), job), job);
    enter_lines(job);
    watch(job);
}

// Whether all who wait are listed: limits may be lifted, users reserve, or somebody is asked.
bool SitePlanner::keeps_waiting() const {
    return layout_->site.limits.lifted_when_idle || reservations_.any() || dispatch_;
}

void SitePlanner::enter_lines(JobId job) {
    const QueueId q = routing_->queue_of[job];
    // What is left of a job after a checkpoint is known only when the loop has stopped it.
    const bool may_change =
        beliefs_.waiting_drift() || layout_->site.interruption.requeue == Requeue::from_checkpoint;
    const WaitingLine::Entry entry{layout_->orders.key(context_.jobs, job, q), job,
                                   context_.jobs.processors[job],
                                   may_change ? 0 : beliefs_.waiting(job)};
    if (layout_->site.queues[q].spanning) heads_[q].insert(entry);
    if (layout_->has_promises && may_hold_promise(job)) {
        of_promises_[layout_->promises_from[q]].insert(entry);
        unpromised_.push_back(job);
    }
    for (const std::size_t at : layout_->lines_of[q])
        if (!layout_->site.pools[layout_->lines[at].pool].has_threshold)
            lines_[at].waiting.insert(entry);
}

void SitePlanner::leave_lines(JobId job) {
    const QueueId queue = routing_->queue_of[job];
    const WaitingLine::Key key = layout_->orders.key(context_.jobs, job, queue);
    if (layout_->site.queues[queue].spanning) heads_[queue].erase(key);
    if (layout_->has_promises && may_hold_promise(job)) {
        of_promises_[layout_->promises_from[queue]].erase(key);
        if (promises_.holds(job))
            withdraw(job);
        else
            std::erase(unpromised_, job);
    }
    for (const std::size_t at : layout_->lines_of[queue]) {
        if (layout_->site.pools[layout_->lines[at].pool].has_threshold)
            lines_[at].is_stale = true;
        else
            lines_[at].waiting.erase(key);
    }
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
        if (!pool.has_threshold || pool.processors < context_.jobs.processors[job] ||
            !routing_->has_room(p, job))
            continue;
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
    if (!waits(timer.job)) return;
    const QueueId queue = routing_->queue_of[timer.job];
    touched_[layout_->cluster_of_queue(queue)] = Touched::otherwise;
    if (timer.kind == Timers::Kind::starves) {
        standing_[timer.job] = Standing::starving;
        insert(queue_of(timer.job).spanning ? starving_spanning_ : starving_);
    } else if (timer.kind == Timers::Kind::passes) {
        for (const std::size_t at : layout_->lines_of[queue])
            if (layout_->lines[at].pool == timer.pool) insert(lines_[at].passed);
    }
}

void SitePlanner::leave_queue(JobId job) {
    standing_[job] = Standing::elsewhere;
    --n_waiting_;
    has_stale_ = true;
    leave_lines(job);
}

std::vector<ProcCount> SitePlanner::free_in_pools() const {
    std::vector<ProcCount> free;
    for (const PoolPlan& pool : pools_)
        free.push_back(pool.free());
    return free;
}

void SitePlanner::hold(JobId job) {
    eligibility_.hold(job, routing_->queue_of[job], waits(job));
    touch_all();
}

void SitePlanner::release(JobId job) {
    eligibility_.release(job, routing_->queue_of[job], waits(job));
    touch_all();
}

void SitePlanner::cancel(JobId job) {
    eligibility_.note_cancelled(job, routing_->queue_of[job]);
    leave_queue(job);
    tidy();
    touch_all();
}

void SitePlanner::reorder(JobId job, const std::function<void()>& change) {
    leave_lines(job);
    change();
    enter_lines(job);
    promise_anew();
    touch_all();
}

// Who waits is ordered anew, and who runs planned by what is believed now; what the old policy
// reserved is not kept.
void SitePlanner::change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                                std::span<const JobId> running) {
    const auto layout = std::make_shared<const SiteLayout>(context_);
    std::vector<Time> planned_ends;
    for (const JobId job : running)
        planned_ends.push_back(planned_end(job));
    layout_ = layout;
    beliefs_.rebind(context_);
    ends_ = EstimatedEnds(context_, beliefs_);
    for (std::size_t i = 0; i < running.size(); ++i) {
        const Time start = context_.schedule.start[running[i]];
        plan_until(
            running[i], planned_ends[i],
            ends_.start(running[i], start, static_cast<Duration>(length_at_start(running[i]))));
    }
    drifts_ = layout_->orders.drifts() || beliefs_.can_be_outlived() || beliefs_.waiting_drift();
    for (Line& line : lines_)
        line.waiting = {};
    for (WaitingLine& line : of_promises_)
        line = {};
    for (WaitingLine& heads : heads_)
        heads = {};
    dispatch_.reset();
    if (dispatcher != nullptr) {
        dispatch_.emplace(dispatcher->clone());
        dispatch_->running.assign(running.begin(), running.end());
    }
    waiting_.clear();
    for (JobId job = 0; job < standing_.size(); ++job) {
        if (!waits(job)) continue;
        enter_lines(job);
        if (keeps_waiting()) waiting_.push_back(job);
    }
    promise_anew();
    for (AdvanceReservation& reservation : in_advance_)
        drop(reservation);
    std::fill(deadlines_.begin(), deadlines_.end(), Deadline{});
    std::fill(is_settled_.begin(), is_settled_.end(), std::uint8_t{0});
    touch_all();
}

// Takes the jobs that left the queue out of the lines.
void SitePlanner::tidy() {
    if (!has_stale_) return;
    has_stale_ = false;
    const auto has_left = [&](JobId job) { return !waits(job); };
    for (Line& line : lines_) {
        line.waiting.tidy();
        if (line.is_stale) std::erase_if(line.passed, has_left);
        line.is_stale = false;
    }
    for (WaitingLine& heads : heads_)
        heads.tidy();
    for (WaitingLine& line : of_promises_)
        line.tidy();
    std::erase_if(waiting_, has_left);
    std::erase_if(starving_, has_left);
    std::erase_if(starving_spanning_, has_left);
}

Time SitePlanner::next_instant() {
    next_opening_ = eligibility_.next_opening(now_);
    Time next = timers_.next([&](JobId job) { return waits(job); });
    next = std::min(next, next_opening_);
    next = std::min({next, next_change(), promises_.first_after(now_)});
    // One whose time has come, but not its processors, waits for what frees them.
    const bool periodic = context_.policy.passes == Passes::periodic;
    for (const AdvanceReservation& reservation : in_advance_)
        if (reservation.from > now_ || periodic) next = std::min(next, reservation.from);
    return next;
}

} // namespace slotwise
