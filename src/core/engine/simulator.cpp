#include "engine/simulator.hpp"

#include "machine/torus/torus.hpp"
#include "order/order.hpp"
#include "planner/make_scheduler.hpp"
#include "site/site_check.hpp"
#include "site/torus_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

constexpr unsigned kMostStepsPerClockLook = 256;
constexpr std::chrono::milliseconds kReportEvery{100};
constexpr std::chrono::milliseconds kLongStride{20};

std::unique_ptr<Scheduler> named_in_policy(const ReplayContext& context) {
    return make_scheduler(context);
}

} // namespace

Simulator::Simulator(std::shared_ptr<const JobTable> table, const Site& site)
    : Simulator(std::move(table), site, named_in_policy) {
    if (next_arrival_ != kNever) return;
    if (routing_ != nullptr) throw std::invalid_argument(nobody_can_start(*routing_));
    throw std::invalid_argument("none of the " + std::to_string(jobs_.size()) +
                                " jobs fits a machine of " + std::to_string(site_.processors) +
                                " processors; give the machine's real size");
}

Simulator::Simulator(std::shared_ptr<const JobTable> table, const Site& site,
                     const MakeScheduler& make)
    : Simulator(table, make_replay_jobs(*table, site.policy), site, make) {}

Simulator::Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, const Site& site)
    : Simulator(std::move(table), std::move(jobs), site, named_in_policy) {}

Simulator::Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, const Site& site,
                     const MakeScheduler& make)
    : table_(std::move(table)), site_(with_places(site)), jobs_(std::move(jobs)),
      attempts_(*table_, site_.interruption),
      completions_(jobs_.size(), jobs_.first_submit, horizon_of(jobs_.run_time)),
      has_calendar_(site_.has_calendar()) {
    check_replayable(site_);
    const std::size_t n = jobs_.size();
    if (site_.has_torus()) {
        schedule_.placements = Placements(n, site_.torus->nodes());
        placement_run_times_ = make_placement_run_times(site_, n);
    }
    set_up();
    if (!site_.is_plain()) {
        const Site site = completed(site_);
        routing_ = std::make_shared<const Routing>(site, jobs_);
        jobs_.queue_priority = queue_priorities(site, *routing_);
        schedule_.reject_reason = routing_->reject_reason;
    }
    now_ = jobs_.first_submit;
    look_at_next_arrival();
    prepare_orders();
    scheduler_ = make(context());
}

// The part of a beginning that a hand-over over another table repeats: no job has started yet, and
// each takes its nodes and the time of its checkpoints. Placements and attempts are in place.
void Simulator::set_up() {
    const std::size_t n = jobs_.size();
    schedule_.start.assign(n, kNotStarted);
    schedule_.backfilled.assign(n, 0);
    if (site_.has_torus())
        take_whole_nodes(jobs_, site_.torus->processors_per_node(), site_.processors);
    if (site_.interruption.checkpoint_cost > 0)
        for (JobId job = 0; job < n; ++job)
            jobs_.run_time[job] = length_of_attempt(job);
    arrival_limit_ = static_cast<JobId>(n);
}

Simulator::Simulator(const Simulator& other)
    : table_(other.table_), site_(other.site_), jobs_(other.jobs_), attempts_(other.attempts_),
      routing_(other.routing_), placement_run_times_(other.placement_run_times_),
      schedule_(other.schedule_), completions_(other.completions_),
      scheduler_(other.scheduler_->clone(context())), now_(other.now_), arrivals_(other.arrivals_),
      next_arrival_(other.next_arrival_), due_(other.due_), arrival_limit_(other.arrival_limit_),
      has_calendar_(other.has_calendar_), next_change_(other.next_change_),
      n_ended_(other.n_ended_), next_pass_(other.next_pass_), ended_(other.ended_),
      arrived_(other.arrived_) {}

void Simulator::run(const Progress& progress, JobId until_started) {
    if (until_started == kNoJob && try_plain_loop(progress)) return;
    const auto started = [&] {
        return until_started != kNoJob && schedule_.start[until_started] != kNotStarted;
    };
    unsigned steps = 0;
    while (!started() && step()) {
        if (++steps < stride_ || !progress) continue;
        steps = 0;
        report(progress);
    }
}

// True if one pass per instant on a plain machine is all there is, with nothing left from before.
bool Simulator::is_plain_replay() const {
    return site_.policy.passes == Passes::per_instant && site_.is_plain() &&
           !site_.has_nodes() && jobs_.usage.empty() &&
           ended_.empty() && arrived_.empty() && due_ == kNever;
}

void Simulator::run_before(Time limit, const Progress& progress) {
    unsigned steps = 0;
    while (next_step() < limit) {
        step();
        if (++steps < stride_ || !progress) continue;
        steps = 0;
        report(progress);
    }
}

// When the next step happens, or kNever.
Time Simulator::next_step() const {
    const bool periodic = site_.policy.passes == Passes::periodic;
    const Time due = periodic ? std::min(next_pass_, next_change_) : due_;
    return std::min({completions_.next(), next_arrival_, due});
}

bool Simulator::step() {
    switch (site_.policy.passes) {
    case Passes::per_event:
        return step_event();
    case Passes::periodic:
        return step_period();
    default:
        return step_instant();
    }
}

// The loop of nearly every replay: what it calls is worth inlining.
[[gnu::flatten]] bool Simulator::step_instant() {
    const Time end = completions_.next();
    const Time now = std::min({end, next_arrival_, due_});
    if (now == kNever) return false;
    now_ = now;
    if (end == now) collect_ends(now);
    if (next_change_ <= now) follow_calendar();
    if (next_arrival_ == now) collect_arrivals(now);
    pass_until_settled();
    return true;
}

// One pass after each single event.
bool Simulator::step_event() {
    const Time end = completions_.next();
    const Time now = std::min({end, next_arrival_, due_});
    if (now == kNever) return false;
    now_ = now;
    const bool ends_first = site_.policy.event_order == EventOrder::completions_first;
    if (end == now && (ends_first || next_arrival_ > now)) {
        end_next();
    } else {
        if (next_change_ <= now) follow_calendar();
        if (next_arrival_ == now) {
            arrived_.push_back(arrivals_++);
            look_at_next_arrival();
        }
    }
    pass();
    return true;
}

// The first tick of periodic passes at or after `t`; kNever under others.
Time Simulator::first_tick(Time t) const {
    const Time period = site_.policy.period;
    if (site_.policy.passes != Passes::periodic) return kNever;
    const Time since = t - jobs_.first_submit;
    return jobs_.first_submit + (since + period - 1) / period * period;
}

// Events are recorded as they come; passes run at multiples of the period only.
bool Simulator::step_period() {
    const Time event = std::min({completions_.next(), next_arrival_, next_change_});
    if (event == kNever && next_pass_ == kNever) return false;
    if (event <= next_pass_) {
        now_ = event;
        if (completions_.next() == event) collect_ends(event);
        if (next_change_ == event) follow_calendar();
        if (next_arrival_ == event) collect_arrivals(event);
        next_pass_ = std::min(next_pass_, first_tick(event));
        return true;
    }
    now_ = next_pass_;
    pass_until_settled();
    if (scheduler_->asks_again()) {
        next_pass_ = now_;
        return true;
    }
    next_pass_ = due_ == kNever ? kNever : first_tick(std::max(due_, now_ + 1));
    // Where nothing is to come but time, scores that drift start nobody.
    const bool goes_on =
        std::min({completions_.next(), next_arrival_, next_change_, due_}) != kNever;
    if (goes_on && scheduler_->queued() > 0 && scheduler_->drifts())
        next_pass_ = now_ + site_.policy.period;
    return true;
}

void Simulator::end_next() {
    ended_.push_back(completions_.pop());
    ++n_ended_;
    if (!jobs_.usage.empty()) jobs_.note_end(ended_.back(), now_);
}

void Simulator::collect_ends(Time now) {
    do
        end_next();
    while (completions_.next() == now);
}

// A job of length 0 ends at the instant of its start, and a further pass follows.
void Simulator::pass_until_settled() {
    pass();
    while (completions_.next() == now_) {
        collect_ends(now_);
        pass();
    }
}

// Lets every order of the site say what it reads beyond the columns of the jobs.
void Simulator::prepare_orders() {
    const auto prepare = [&](const OrderSpec& spec) { make_order(spec)->prepare(jobs_); };
    prepare(site_.policy.order);
    prepare(site_.policy.order_behind_head());
    for (const Queue& queue : site_.queues)
        if (queue.has_order) prepare(queue.order);
}

void Simulator::pass() {
    scheduler_->pass(Instant{now_, ended_, arrived_}, starts_);
    ended_.clear();
    arrived_.clear();
    if (!starts_.nodes.empty()) settle_on_nodes();
    for (const Starts::Start& started : starts_.jobs)
        note_start(started);
    if (!jobs_.usage.empty())
        for (const Starts::Start& started : starts_.jobs)
            jobs_.note_start(started.job, now_);
    starts_.jobs.clear();
    starts_.rejected.clear();
    due_ = std::max(scheduler_->next_due(), now_);
    if (has_calendar_) next_change_ = scheduler_->next_change();
}

void Simulator::report(const Progress& progress) {
    const auto clock = std::chrono::steady_clock::now();
    // A step may take nanoseconds or, with a deep queue, milliseconds.
    const bool late = clock - looked_ > kLongStride;
    stride_ = late ? std::max(stride_ / 4, 1U) : std::min(2 * stride_, kMostStepsPerClockLook);
    looked_ = clock;
    if (clock - reported_ < kReportEvery) return;
    reported_ = clock;
    progress(static_cast<double>(n_ended_ + arrivals_) / static_cast<double>(2 * jobs_.size()));
}

} // namespace slotwise
