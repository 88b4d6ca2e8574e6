#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

PoolsPlanner::PoolsPlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing,
                           std::shared_ptr<Dispatcher> dispatcher)
    : context_(context), routing_(std::move(routing)),
      layout_(std::make_shared<const PoolsLayout>(context)), first_layout_(layout_),
      estimates_(context_), ends_(context_, estimates_),
      drifts_(layout_->orders.drifts() || estimates_.can_be_outlived() ||
              estimates_.waiting_drift()),
      eligibility_(layout_->site, context.jobs, *routing_), lines_(layout_->lines.size()),
      heads_(layout_->site.queues.size()), rows_(context.jobs.size()),
      n_starving_(layout_->site.queues.size(), 0),
      standing_(context.jobs.size(), Standing::elsewhere), of_promises_(layout_->site.pools.size()),
      pool_of_(context.jobs.size(), kAnyPool), in_advance_(layout_->site.queues.size()),
      calendar_(layout_->site, context.jobs.first_submit), outages_(layout_->site),
      reservations_(layout_->site), running_(layout_->has_calendar ? context.jobs.size() : 0),
      deadlines_(layout_->site.pools.size()), has_opened_(layout_->site.pools.size(), 0),
      touched_(layout_->clusters.size()), is_settled_(layout_->clusters.size(), 0),
      is_due_(layout_->site.pools.size(), 1), is_swept_(layout_->site.pools.size(), 0),
      asked_(layout_->site.pools.size()), bounds_(layout_->site.pools.size()),
      is_passed_(layout_->site.pools.size(), 0) {
    if (layout_->may_change) estimates_.learn_ahead();
    const Duration horizon = horizon_of(context.jobs.requested_time);
    for (std::size_t p = 0; p < layout_->site.pools.size(); ++p)
        pools_.emplace_back(layout_->site.pools[p].processors, context.jobs.first_submit, horizon,
                            layout_->is_stepped[p]);
    outages_.announce(pools_);
    reservations_.announce(pools_);
    if (dispatcher != nullptr) dispatch_.emplace(std::move(dispatcher));
}

PoolsPlanner::PoolsPlanner(const PoolsPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), routing_(other.routing_), layout_(other.layout_),
      first_layout_(other.first_layout_), estimates_(other.estimates_), ends_(other.ends_),
      drifts_(other.drifts_), dispatch_(other.dispatch_), log_(other.log_), past_(other.past_),
      eligibility_(other.eligibility_), lines_(other.lines_), heads_(other.heads_),
      waiting_(other.waiting_), rows_(other.rows_), starving_(other.starving_),
      n_starving_(other.n_starving_), starving_spanning_(other.starving_spanning_),
      standing_(other.standing_), n_waiting_(other.n_waiting_), promises_(other.promises_),
      of_promises_(other.of_promises_), unpromised_(other.unpromised_),
      has_stale_(other.has_stale_), timers_(other.timers_), next_opening_(other.next_opening_),
      pools_(other.pools_), pool_of_(other.pool_of_), shares_(other.shares_),
      in_advance_(other.in_advance_), calendar_(other.calendar_), outages_(other.outages_),
      reservations_(other.reservations_), running_(other.running_), n_running_(other.n_running_),
      patience_(other.patience_), spans_(other.spans_), deadlines_(other.deadlines_),
      has_opened_(other.has_opened_), touched_(other.touched_), is_settled_(other.is_settled_),
      is_due_(other.is_due_), is_swept_(other.is_swept_), asked_(other.asked_),
      bounds_(other.bounds_), is_passed_(other.is_passed_) {
    estimates_.rebind(context_);
    ends_.rebind(context_);
}

void PoolsPlanner::describe(Schedule& schedule) const {
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

void PoolsPlanner::pass(const Instant& instant, Starts& starts) {
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
    if (layout_->has_spanning) touch_begun();
    for (std::size_t at = 0; at < touched_.size(); ++at)
        if (may_reorder(layout_->clusters[at])) touched_[at] = Touched::otherwise;
    if (eligibility_.has_hours()) // a queue may have closed since
        for (PoolId pool = 0; pool < pools_.size(); ++pool)
            if (has_lost_head(pool)) touch(pool);
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
    const bool is_periodic = context_.policy.passes == Passes::periodic;
    if (goes_on && n_waiting_ > 0 && is_periodic && !gives_up()) due_ = now_;
}

// Everything of an instant but its starts.
void PoolsPlanner::follow(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    for (PoolPlan& pool : pools_)
        pool.advance(now_);
    const bool is_active = n_running_ > 0 || !instant.arrived.empty();
    finish(instant.ended);
    // Under passes per event the completion may not be the last of its instant.
    if (context_.policy.passes != Passes::per_event || instant.ended.empty()) follow_calendar();
    patience_.note_instant(now_, is_active);
    for (const JobId job : instant.arrived)
        enqueue(job);
    if (dispatch_) dispatch_->note(instant, starts.stops);
}

// The pools of advance reservations whose time has come.
void PoolsPlanner::touch_begun() {
    for (const AdvanceReservation& reservation : in_advance_)
        if (reservation.from <= now_)
            for (const PoolShare& share : reservation.shares)
                touch(share.pool);
}

void PoolsPlanner::touch_all() {
    std::fill(touched_.begin(), touched_.end(), Touched::otherwise);
    std::fill(is_due_.begin(), is_due_.end(), std::uint8_t{1});
}

void PoolsPlanner::plan(std::size_t at, std::span<const JobId> arrived) {
    const Cluster& cluster = layout_->clusters[at];
    if (touched_[at] == Touched::by_an_arrival && is_settled_[at] != 0 && arrived.size() == 1 &&
        cluster.settles_arrivals && settle_arrival(arrived[0])) {
        for (const PoolId pool : cluster.pools)
            is_due_[pool] = 0;
        return;
    }
    if (!cluster.spanning.empty()) reserve_past_promises(cluster);
    if (layout_->has_promises) {
        keep_promises(cluster);
    } else {
        look_over(cluster);
        sweep_until_settled(cluster);
    }
    if (layout_->site.limits.lifted_when_idle && !any_eligible()) start_when_idle(cluster);
    is_settled_[at] = n_waiting_ > 0;
}

void PoolsPlanner::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        vacate(job);
        note_over(job, context_.schedule.start[job] + context_.jobs.run_time[job]);
    }
    estimates_.note_ended(ended);
}

// A job is over for good; others may have waited for that.
void PoolsPlanner::note_over(JobId job, Time end) {
    eligibility_.note_ended(job, end, [&](JobId dependent, Time opens) {
        if (!waits(dependent)) return;
        eligibility_.note_opened(dependent, routing_->queue_of[dependent]);
        timers_.set({opens, dependent, Timers::Kind::depends_on, kAnyPool});
    });
}

// A running job gives its processors back.
void PoolsPlanner::vacate(JobId job, Time end) {
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
    --n_running_;
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
    const QueueId queue = routing_->queue_of[job];
    if (eligibility_.note_stopped(job, queue, processors))
        for (const PoolId each : layout_->clusters[layout_->cluster_of_queue(queue)].pools)
            touch(each);
}

void PoolsPlanner::correct_estimates() {
    ends_.correct(
        now_, [&](JobId job, Time planned_end, Time end) { plan_until(job, planned_end, end); });
}

// Until when a running job is planned; where starts are promised for a second at least.
Time PoolsPlanner::planned_end(JobId job) const {
    const Time end = ends_.of(job, estimates_);
    return layout_->has_promises ? std::max(end, context_.schedule.start[job] + 1) : end;
}

void PoolsPlanner::plan_until(JobId job, Time planned_end, Time end) {
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
void PoolsPlanner::enqueue(JobId job) {
    const QueueId q = routing_->queue_of[job];
    ++n_waiting_;
    standing_[job] = Standing::waiting;
    Touched& touched = touched_[layout_->cluster_of_queue(q)];
    touched = std::max(touched, Touched::by_an_arrival);
    eligibility_.note_waiting(job, q);
    if (keeps_waiting())
        waiting_.insert(std::lower_bound(waiting_.begin(), waiting_.end(), job), job);
    enter_lines(job);
    if (rows_.is_front(job)) note_due(q);
    watch(job);
}

// Whether all who wait are listed: limits may be lifted, users reserve, or somebody is asked.
bool PoolsPlanner::keeps_waiting() const {
    return layout_->site.limits.lifted_when_idle || reservations_.any() || dispatch_;
}

std::vector<ProcCount> PoolsPlanner::free_in_pools() const {
    std::vector<ProcCount> free;
    for (const PoolPlan& pool : pools_)
        free.push_back(pool.free());
    return free;
}

void PoolsPlanner::hold(JobId job) {
    eligibility_.hold(job, routing_->queue_of[job], waits(job));
    if (waits(job)) { // those behind it are not held
        leave_lines(job);
        enter_lines(job);
    }
    touch_all();
}

void PoolsPlanner::release(JobId job) {
    patience_.renew();
    eligibility_.release(job, routing_->queue_of[job], waits(job));
    touch_all();
}

void PoolsPlanner::cancel(JobId job) {
    eligibility_.note_cancelled(job, routing_->queue_of[job]);
    leave_queue(job);
    tidy();
    patience_.renew();
    touch_all();
}

void PoolsPlanner::reorder(JobId job, const std::function<void()>& change) {
    leave_lines(job);
    change();
    enter_lines(job);
    promise_anew();
    patience_.renew();
    touch_all();
}

// Who waits is ordered anew, and who runs planned by what is believed now; what the old policy
// reserved is not kept.
void PoolsPlanner::change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                                 std::span<const JobId> running) {
    const auto layout = std::make_shared<const PoolsLayout>(context_);
    std::vector<Time> planned_ends;
    for (const JobId job : running)
        planned_ends.push_back(planned_end(job));
    layout_ = layout;
    estimates_.rebind(context_);
    ends_ = EstimatedEnds(context_, estimates_);
    for (std::size_t i = 0; i < running.size(); ++i) {
        const Time start = context_.schedule.start[running[i]];
        plan_until(
            running[i], planned_ends[i],
            ends_.start(running[i], start, static_cast<Duration>(length_at_start(running[i]))));
    }
    drifts_ =
        layout_->orders.drifts() || estimates_.can_be_outlived() || estimates_.waiting_drift();
    for (Line& line : lines_)
        line = {};
    for (PoolQueue& line : of_promises_)
        line = {};
    for (PoolQueue& heads : heads_)
        heads = {};
    dispatch_.reset();
    if (dispatcher != nullptr) {
        dispatch_.emplace(dispatcher->clone());
        dispatch_->running.assign(running.begin(), running.end());
    }
    waiting_.clear();
    starving_.clear();
    std::fill(n_starving_.begin(), n_starving_.end(), 0U);
    rows_ = IdenticalJobs(standing_.size());
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
    patience_.renew();
    touch_all();
}

// Timers come due once per job; everything else may go on without end.
Time PoolsPlanner::next_instant() {
    next_opening_ = eligibility_.next_opening(now_);
    Time next = timers_.next([&](JobId job) { return waits(job); });
    if (gives_up()) return next;
    next = std::min(next, next_opening_);
    next = std::min({next, next_change(), promises_.first_after(now_)});
    if (!layout_->has_spanning) return next;
    // One whose time has come, but not its processors, waits for what frees them.
    const bool periodic = context_.policy.passes == Passes::periodic;
    for (const AdvanceReservation& reservation : in_advance_)
        if (reservation.from > now_ || periodic) next = std::min(next, reservation.from);
    return next;
}

} // namespace slotwise
