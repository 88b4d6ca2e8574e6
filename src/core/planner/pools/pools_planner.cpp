#include "planner/pools/pools_planner.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns the first instant at which a waiting job may get other nodes merely because time has
// passed. No event occurs at that time, so only a periodic pass can notice it. While reservations
// are kept from pass to pass, only the ends and arrivals of jobs matter.
Time next_replaced(const PoolsContext& context, PoolSet& pools, const PoolDispatch& dispatch) {
    NodePools* nodes = pools.machine().nodes();
    if (nodes == nullptr || context.policy.passes != Passes::periodic || dispatch.asks() ||
        context.layout->keeps_reservations)
        return kNever;
    return nodes->moves().next_replaced();
}

} // namespace

PoolsPlanner::PoolsPlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing,
                           std::shared_ptr<Dispatcher> dispatcher)
    : context_(context, std::move(routing)), events_(context_), pools_(context_, events_),
      lines_(context_, events_), promises_(context_, events_, pools_, lines_),
      transitions_(context_, events_, pools_, lines_, promises_),
      spanning_({context_, events_, pools_, lines_, promises_, transitions_}),
      calendar_({context_, events_, pools_, transitions_}),
      sweep_({context_, events_, pools_, lines_, transitions_, spanning_}),
      dispatch_({context_, pools_, lines_, transitions_, spanning_}, std::move(dispatcher)),
      drifts_(may_drift()), is_passed_(pools_.plans().size(), 0) {
    lines_.list_all(lists_waiting());
}

PoolsPlanner::PoolsPlanner(const PoolsPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(other.context_, context), events_(other.events_),
      pools_(other.pools_), lines_(other.lines_), promises_(other.promises_),
      transitions_(other.transitions_, context_, events_, pools_, lines_, promises_),
      spanning_(other.spanning_), calendar_(other.calendar_), sweep_(other.sweep_),
      dispatch_(other.dispatch_, {context_, pools_, lines_, transitions_, spanning_}),
      patience_(other.patience_), drifts_(other.drifts_), next_opening_(other.next_opening_),
      is_passed_(other.is_passed_) {
    events_.rebind(context_);
    pools_.rebind(context_, events_);
    lines_.rebind(context_, events_);
    promises_.rebind(context_, events_, pools_, lines_);
    spanning_.rebind({context_, events_, pools_, lines_, promises_, transitions_});
    calendar_.rebind({context_, events_, pools_, transitions_});
    sweep_.rebind({context_, events_, pools_, lines_, transitions_, spanning_});
}

bool PoolsPlanner::may_drift() const {
    return context_.layout->orders.drifts() || context_.estimates.can_be_outlived() ||
           context_.estimates.waiting_drift();
}

// Returns true if all waiting jobs must be listed, because limits may be lifted, users have
// reservations, or a dispatcher is called.
bool PoolsPlanner::lists_waiting() const {
    return context_.layout->site.limits.lifted_when_idle || pools_.reservations().any() ||
           dispatch_.asks();
}

void PoolsPlanner::describe(Schedule& schedule) const {
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (JobId job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(context_.routing->queue_of[job]);
        schedule.pool[job] = static_cast<std::int16_t>(pools_.pool_of(job));
    }
    schedule.has_calendar = context_.layout->has_calendar;
    const PlannedMachine& machine = pools_.machine();
    schedule.capacity = pools_.outages().capacity();
    if (machine.nodes() != nullptr) schedule.capacity = machine.nodes()->outages().capacity();
    if (machine.intervals() != nullptr)
        schedule.capacity = machine.intervals()->calendar().capacity();
    for (const JobId job : transitions_.turned_away()) {
        if (!schedule.state.empty())
            schedule.state[job] = static_cast<std::uint8_t>(State::rejected);
        schedule.reject_reason[job] = static_cast<std::uint8_t>(RejectReason::over_submitted);
    }
    schedule.spans = pools_.spans();
    if (const NodePools* nodes = pools_.machine().nodes()) {
        schedule.places = nodes->started();
        for (JobId job = 0; job < n; ++job) {
            if (schedule.pool[job] < 0)
                schedule.places.set(job, {}); // the job was interrupted and has not restarted
            else
                schedule.pool[job] = 0; // the schedule does not distinguish groups of partitions
        }
    }
}

void PoolsPlanner::pass(const Instant& instant, Starts& starts) {
    follow_ends(instant, starts);
    spanning_.forget_dropped();
    if (!drifts_ && !dispatch_.asks() && sweep_.pass_quickly(instant.arrived)) {
        forget_touched(true);
        due_ = next_instant();
        return;
    }
    arrive(instant.arrived);
    if (dispatch_.asks()) dispatch_.note(instant, starts.stops);
    pools_.correct_estimates();
    if (lines_.fire_timers()) patience_.renew();
    if (dispatch_.asks()) return ask_outside();
    note_passing_time();
    const bool had_waiting = lines_.n_waiting() > 0;
    if (had_waiting) {
        if (pools_.reservations().any()) transitions_.start_in_reservations();
        for (std::size_t at = 0; at < events_.n_clusters(); ++at)
            if (events_.touched(at) != PoolEvents::Touched::not_at_all) plan(at, instant.arrived);
    }
    const bool goes_on = forget_touched(had_waiting);
    transitions_.tidy();
    due_ = next_instant();
    const bool is_periodic = context_.policy.passes == Passes::periodic;
    if (goes_on && lines_.n_waiting() > 0 && is_periodic && !gives_up()) due_ = context_.now;
}

// Handles the job ends and calendar changes at an instant, before any job is submitted. A pass
// follows, either at the same instant or at the next tick.
void PoolsPlanner::follow(const Instant& instant, Starts& starts) {
    follow_ends(instant, starts);
    if (dispatch_.asks()) dispatch_.note(instant, starts.stops);
}

// Handles the ends of jobs and the changes in the calendar.
void PoolsPlanner::follow_ends(const Instant& instant, Starts& starts) {
    context_.now = instant.now;
    context_.starts = &starts;
    pools_.advance();
    const bool is_active = pools_.n_running() > 0 || !instant.arrived.empty();
    if (!instant.ended.empty()) transitions_.finish(instant.ended);
    // If passes run after each event, more jobs may end at this instant before the calendar
    // changes.
    if (context_.layout->has_calendar &&
        (context_.policy.passes != Passes::per_event || instant.ended.empty()))
        calendar_.follow(patience_);
    patience_.note_instant(context_.now, is_active);
}

void PoolsPlanner::arrive(std::span<const JobId> arrived) {
    const std::size_t n_turned_away = transitions_.turned_away().size();
    transitions_.arrive(arrived);
    const auto& turned_away = transitions_.turned_away();
    std::vector<JobId>& rejected = context_.starts->rejected;
    rejected.insert(rejected.end(),
                    turned_away.begin() + static_cast<std::ptrdiff_t>(n_turned_away),
                    turned_away.end());
}

void PoolsPlanner::ask_outside() {
    dispatch_.ask();
    transitions_.tidy();
    due_ = dispatch_.asks_again() ? context_.now : next_instant();
}

// Marks the clusters and pools that have changed merely because time has passed.
void PoolsPlanner::note_passing_time() {
    if (drifts_ || context_.now >= next_opening_) events_.touch_all();
    if (context_.now >= next_replaced(context_, pools_, dispatch_)) {
        pools_.machine().nodes()->moves().forget_replaced();
        events_.touch_all();
    }
    if (context_.layout->has_spanning) spanning_.touch_begun();
    for (std::size_t at = 0; at < events_.n_clusters(); ++at)
        sweep_.touch_overtaken(at);
    if (context_.eligibility.has_hours()) sweep_.touch_lost_heads(); // a queue may have closed
    promises_.touch_due();
}

void PoolsPlanner::plan(std::size_t at, std::span<const JobId> arrived) {
    const PoolsLayout& layout = *context_.layout;
    const Cluster& cluster = layout.clusters[at];
    const bool has_only_arrived =
        events_.touched(at) == PoolEvents::Touched::by_an_arrival && events_.is_settled(at);
    if (has_only_arrived && cluster.keeps_bounds && !events_.any_due(cluster)) return;
    if (has_only_arrived && settle(cluster, arrived)) {
        for (const PoolId pool : cluster.pools)
            events_.set_due(pool, false);
        return;
    }
    if (!cluster.spanning.empty()) spanning_.reserve(cluster);
    if (layout.has_promises)
        keep_promises(cluster);
    else
        sweep_.sweep_until_settled(cluster);
    if (layout.site.limits.lifted_when_idle && !lines_.any_eligible())
        sweep_.sweep_without_limits(cluster);
    events_.settle(at, lines_.n_waiting() > 0);
}

// Tries only the jobs that have arrived. Returns true if that was enough, and false if the cluster
// must be swept.
bool PoolsPlanner::settle(const Cluster& cluster, std::span<const JobId> arrived) {
    if (context_.layout->keeps_reservations)
        return sweep_.settle_behind_kept(cluster.pools.front(), arrived);
    return arrived.size() == 1 && cluster.settles_arrivals && sweep_.settle_arrival(arrived[0]);
}

// Updates the promises and starts the jobs that are due, until no more jobs start. A start may
// exhaust a limit, or use a pool with a threshold. Some promises are then withdrawn, and others
// move. A promise is also withdrawn if the nodes of its job would exceed a limit.
void PoolsPlanner::keep_promises(const Cluster& cluster) {
    const std::vector<Starts::Start>& started = context_.starts->jobs;
    std::size_t before;
    std::size_t n_over_limit;
    do {
        before = started.size();
        n_over_limit = promises_.n_over_limit();
        promises_.update(cluster);
        start_due(cluster);
        if (cluster.has_threshold) sweep_.sweep(cluster);
    } while ((started.size() > before || promises_.n_over_limit() > n_over_limit) &&
             lines_.n_waiting() > 0);
}

// Starts each job whose promise is due, if the promised processors are free. The processors may
// still be occupied by a job of length 0, or by a job whose end at this instant has not been
// handled yet.
void PoolsPlanner::start_due(const Cluster& cluster) {
    if (!promises_.has_due(cluster)) return;
    std::fill(is_passed_.begin(), is_passed_.end(), std::uint8_t{0});
    for (const JobId job : promises_.holders(cluster)) {
        const PoolPromise due = promises_.of(job);
        if (due.start <= context_.now && context_.is_eligible(job) && redeem(job, due.pool)) {
            transitions_.start(job, due.pool, is_passed_[due.pool] != 0, due.length);
            continue;
        }
        for (const PoolId pool : context_.queue_of(job).pools)
            if (promises_.takes_promises(pool, job)) is_passed_[pool] = 1;
    }
}

// If the promised place of the job is free now, removes the promise and returns true.
bool PoolsPlanner::redeem(JobId job, PoolId pool) {
    if (pools_.machine().by_job() != nullptr) return promises_.redeem_by_job(job);
    if (context_.jobs.processors[job] > pools_.plan(pool).free() - spanning_.fenced(pool, kNoJob))
        return false;
    promises_.redeem(job);
    return true;
}

// Marks only those clusters as changed that may be able to start more jobs immediately. Returns
// true if there are any.
bool PoolsPlanner::forget_touched(bool had_waiting) {
    bool goes_on = false;
    for (std::size_t at = 0; at < events_.n_clusters(); ++at) {
        if (events_.touched(at) == PoolEvents::Touched::otherwise && !had_waiting)
            events_.settle(at, false);
        const Cluster& cluster = context_.layout->clusters[at];
        const bool again = (cluster.may_go_on && !context_.starts->jobs.empty()) ||
                           (spanning_.has_dropped() && cluster.spanning.size() > 1);
        if (again)
            events_.touch_cluster(at);
        else
            events_.forget(at);
        goes_on = goes_on || again;
    }
    return goes_on;
}

void PoolsPlanner::hold(JobId job) {
    context_.eligibility.hold(job, queue_number(job), lines_.waits(job));
    if (lines_.waits(job))
        transitions_.reorder(job, [] {}); // the next identical job may now be tried
    events_.touch_all();
}

void PoolsPlanner::release(JobId job) {
    patience_.renew();
    context_.eligibility.release(job, queue_number(job), lines_.waits(job));
    events_.touch_all();
}

void PoolsPlanner::cancel(JobId job) {
    if (transitions_.forget_outside(job)) return;
    context_.eligibility.note_cancelled(job, queue_number(job));
    transitions_.leave(job);
    transitions_.tidy();
    patience_.renew();
    events_.touch_all();
}

void PoolsPlanner::note_withdrawn(JobId job, Time now, bool has_run) {
    transitions_.open_followers(job, now, has_run ? JobEnding::failed : JobEnding::withdrawn);
}

void PoolsPlanner::reorder(JobId job, const std::function<void()>& change) {
    transitions_.reorder(job, change);
    promises_.promise_anew();
    patience_.renew();
    events_.touch_all();
}

// Reorders the waiting jobs, and plans the running jobs again with the current estimates.
// Reservations under the old policy are dropped.
void PoolsPlanner::change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                                 std::span<const JobId> running) {
    std::vector<Time> planned_ends;
    for (const JobId job : running)
        planned_ends.push_back(pools_.planned_end(job));
    for (PoolId pool = 0; pool < pools_.plans().size(); ++pool)
        if (context_.layout->keeps_reservations) pools_.room().drop_reservations(pool);
    context_.change_layout();
    pools_.plan_anew(running, planned_ends);
    drifts_ = may_drift();
    dispatch_.change(dispatcher, running);
    lines_.list_all(lists_waiting());
    lines_.order_anew();
    promises_.order_anew();
    spanning_.drop_all();
    sweep_.forget_deadlines();
    events_.unsettle_all();
    patience_.renew();
    events_.touch_all();
}

Time PoolsPlanner::next_change() const {
    return gives_up() ? kNever : calendar_.next_change();
}

// Returns the next instant at which something happens. If the waiting jobs are assumed to wait
// forever, only timers count, because all other events may recur without end.
Time PoolsPlanner::next_instant() {
    next_opening_ = context_.eligibility.next_opening(context_.now);
    Time next = lines_.next_timer();
    if (gives_up()) return next;
    next = std::min(next, next_replaced(context_, pools_, dispatch_));
    const Time next_begin = context_.layout->has_spanning ? spanning_.next_begin() : kNever;
    if (!context_.layout->has_calendar && !context_.layout->has_promises &&
        !context_.eligibility.has_hours())
        return std::min(next, next_begin);
    // Periodic passes run at every tick, even if nothing has happened. The first pass after a queue
    // has closed may start jobs of other queues.
    const Time next_closing = context_.policy.passes == Passes::periodic
                                  ? context_.eligibility.next_closing(context_.now)
                                  : kNever;
    return std::min({next, next_opening_, next_closing, next_change(),
                     promises_.first_after(context_.now), next_begin});
}

} // namespace slotwise
