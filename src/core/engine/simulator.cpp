#include "engine/simulator.hpp"

#include "engine/orders/prepare_orders.hpp"
#include "engine/ruled_loop.hpp"
#include "machine/torus/torus.hpp"
#include "planner/make_scheduler.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise {

namespace {

std::unique_ptr<Scheduler> named_in_policy(const ReplayContext& context) {
    return make_scheduler(context);
}

// Returns the first instant at or after `t` at which a periodic pass may run, or kNever if the
// passes are not periodic.
Time first_tick(const Policy& policy, Time first_submit, Time t) {
    if (policy.passes != Passes::periodic) return kNever;
    return first_submit + (t - first_submit + policy.period - 1) / policy.period * policy.period;
}

} // namespace

Simulator::Simulator(std::shared_ptr<const JobTable> table, PreparedSite site)
    : Simulator(std::move(table), std::move(site), named_in_policy) {
    if (arrivals_.next() != kNever) return;
    if (routing_ != nullptr) throw std::invalid_argument(nobody_can_start(*routing_));
    throw std::invalid_argument("none of the " + std::to_string(jobs_.size()) +
                                " jobs fits a machine of " + std::to_string(site_->processors) +
                                " processors; set the machine's real size");
}

Simulator::Simulator(std::shared_ptr<const JobTable> table, PreparedSite site,
                     const MakeScheduler& make)
    : Simulator(table, make_replay_jobs(*table, site->policy), site, make) {}

Simulator::Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, PreparedSite site)
    : Simulator(std::move(table), std::move(jobs), std::move(site), named_in_policy) {}

Simulator::Simulator(std::shared_ptr<const JobTable> table, ReplayJobs jobs, PreparedSite site,
                     const MakeScheduler& make)
    : table_(std::move(table)), site_(std::move(site)), jobs_(std::move(jobs)),
      lengths_(*table_, *site_), limit_checks_(site_->policy, jobs_.first_submit),
      completions_(jobs_.size(), jobs_.first_submit, horizon_of(jobs_.run_time)),
      now_(jobs_.first_submit), has_calendar_(site_->has_calendar()) {
    if (site_->has_torus()) {
        schedule_.placements = Placements(jobs_.size(), site_->torus->nodes());
        lengths_.follow_placement(jobs_.size());
    }
    set_up();
    if (!site_->is_plain()) {
        routing_ = std::make_shared<const Routing>(*site_, jobs_);
        jobs_.queue_priority = queue_priorities(*site_, *routing_);
    }
    arrivals_ = Arrivals(jobs_, site_->processors, routing_.get());
    prepare_orders(*site_, routing_.get(), jobs_);
    scheduler_ = make(context());
}

// Does the part of the set-up that is repeated when a replay continues on another table. Clears the
// start times, rounds jobs up to whole nodes, and adds the time that checkpoints take. The
// placements and the attempts must already be set.
void Simulator::set_up() {
    const std::size_t n = jobs_.size();
    schedule_.start = BlockColumn<Time>(n, kNotStarted);
    schedule_.backfilled = BlockColumn<std::uint8_t>(n, 0);
    if (site_->has_torus())
        take_whole_nodes(jobs_, site_->torus->processors_per_node(), site_->processors);
    if (site_->interruption.checkpoint_cost > 0)
        for (JobId job = 0; job < n; ++job)
            lengths_.set_next(jobs_, job, schedule_.placements.of(job));
}

Simulator::Simulator(const Simulator& other)
    : table_(other.table_), site_(other.site_), jobs_(other.jobs_),
      lengths_(other.lengths_, *site_), limit_checks_(other.limit_checks_),
      routing_(other.routing_), schedule_(other.schedule_), completions_(other.completions_),
      arrivals_(other.arrivals_, jobs_), scheduler_(other.scheduler_->clone(context())),
      now_(other.now_), due_(other.due_), has_calendar_(other.has_calendar_),
      next_change_(other.next_change_), n_ended_(other.n_ended_), next_pass_(other.next_pass_),
      ended_(other.ended_), arrived_(other.arrived_) {}

void Simulator::run(const Progress& progress, JobId until_started) {
    if (until_started == kNoJob &&
        (try_plain_loop(progress) || RuledLoop::try_run(*this, progress)))
        return;
    const auto started = [&] {
        return until_started != kNoJob && schedule_.start[until_started] != kNotStarted;
    };
    unsigned steps = 0;
    while (!started() && step()) {
        meter_.count_step(steps, progress, [this] { return part_done(); });
    }
}

void Simulator::run_before(Time limit, const Progress& progress) {
    unsigned steps = 0;
    while (next_step() < limit) {
        step();
        meter_.count_step(steps, progress, [this] { return part_done(); });
    }
}

Time Simulator::next_step() const {
    const bool periodic = site_->policy.passes == Passes::periodic;
    const Time due = periodic ? std::min(next_pass_, next_change_) : due_;
    return std::min({completions_.next(), arrivals_.next(), due});
}

bool Simulator::step() {
    switch (site_->policy.passes) {
    case Passes::per_event:
        return step_event();
    case Passes::periodic:
        return step_period();
    default:
        return step_instant();
    }
}

// Handles one instant. With Passes::per_instant, any replay that has no faster loop of its own
// spends nearly all its time here, so inlining all calls is worthwhile.
[[gnu::flatten]] bool Simulator::step_instant() {
    const Time end = completions_.next();
    const Time now = std::min({end, arrivals_.next(), due_});
    if (now == kNever) return false;
    now_ = now;
    if (end == now) collect_ends(now);
    if (next_change_ <= now) follow_calendar();
    if (arrivals_.next() == now) collect_arrivals(now);
    pass_until_settled();
    return true;
}

// Handles one event, and then runs one scheduling pass.
bool Simulator::step_event() {
    const Time end = completions_.next();
    const Time now = std::min({end, arrivals_.next(), due_});
    if (now == kNever) return false;
    now_ = now;
    const bool ends_first = site_->policy.event_order == EventOrder::completions_first;
    if (end == now && (ends_first || arrivals_.next() > now)) {
        end_next();
    } else {
        if (next_change_ <= now) follow_calendar();
        if (arrivals_.next() == now) arrived_.push_back(arrivals_.pop());
    }
    pass();
    return true;
}

void Simulator::ask_for_pass(Time now) {
    due_ = now;
    next_pass_ = std::min(next_pass_, first_tick(site_->policy, jobs_.first_submit, now));
}

// Handles events when they happen, but runs passes only at multiples of the period.
bool Simulator::step_period() {
    const Time event = std::min({completions_.next(), arrivals_.next(), next_change_});
    if (event == kNever && next_pass_ == kNever) return false;
    if (event <= next_pass_) {
        now_ = event;
        if (completions_.next() == event) collect_ends(event);
        if (next_change_ == event) follow_calendar();
        if (arrivals_.next() == event) collect_arrivals(event);
        next_pass_ = std::min(next_pass_, first_tick(site_->policy, jobs_.first_submit, event));
        return true;
    }
    now_ = next_pass_;
    pass_until_settled();
    if (scheduler_->asks_again()) {
        next_pass_ = now_;
        return true;
    }
    next_pass_ = due_ == kNever
                     ? kNever
                     : first_tick(site_->policy, jobs_.first_submit, std::max(due_, now_ + 1));
    // While future events remain, a job may start merely because scores drift, so passes continue.
    // Once none remain, no further pass is needed.
    const bool goes_on =
        std::min({completions_.next(), arrivals_.next(), next_change_, due_}) != kNever;
    if (goes_on && scheduler_->queued() > 0 && scheduler_->drifts())
        next_pass_ = now_ + site_->policy.period;
    return true;
}

void Simulator::end_next() {
    ended_.push_back(completions_.pop());
    ++n_ended_;
    if (jobs_.follows_usage()) jobs_.note_end(ended_.back(), now_);
}

void Simulator::collect_ends(Time now) {
    do
        end_next();
    while (completions_.next() == now);
}

// A job of length 0 ends at the instant at which it starts, so another pass at the same instant
// follows.
void Simulator::pass_until_settled() {
    pass();
    while (completions_.next() == now_) {
        collect_ends(now_);
        pass();
    }
}

void Simulator::pass() {
    scheduler_->pass(Instant{now_, ended_, arrived_}, starts_);
    ended_.clear();
    arrived_.clear();
    if (!starts_.nodes.empty()) settle_on_nodes();
    if (limit_checks_.are_late())
        for (const Starts::Start& started : starts_.jobs) {
            // Time limits are checked only at intervals, so the length of the run depends on the
            // start time.
            const JobId job = started.job;
            if (jobs_.has_request(job))
                jobs_.run_time.change()[job] =
                    limit_checks_.length(now_, jobs_.requested_time[job], table_->run_time[job]);
        }
    for (const Starts::Start& started : starts_.jobs)
        note_start(started);
    if (jobs_.follows_usage())
        for (const Starts::Start& started : starts_.jobs)
            jobs_.note_start(started.job, now_);
    starts_.jobs.clear();
    starts_.rejected.clear();
    due_ = std::max(scheduler_->next_due(), now_);
    if (has_calendar_) next_change_ = scheduler_->next_change();
}

double Simulator::part_done() const {
    return static_cast<double>(n_ended_ + arrivals_.position()) /
           static_cast<double>(2 * jobs_.size());
}

} // namespace slotwise
