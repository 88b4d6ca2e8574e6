#include "engine/simulator.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

constexpr unsigned kStepsPerClockLook = 256;
constexpr std::chrono::milliseconds kReportEvery{100};

void check_policy(const Policy& policy) {
    if (policy.passes == Passes::periodic && policy.period <= 0)
        throw std::invalid_argument("a period of " + std::to_string(policy.period) +
                                    " s between passes; it must be at least 1 s");
    if (policy.depth < 1)
        throw std::invalid_argument("depth " + std::to_string(policy.depth) +
                                    "; at least 1 reservation is needed ('first-fit' has none)");
    if (!(policy.relaxation >= 0))
        throw std::invalid_argument("relaxation " + std::to_string(policy.relaxation) +
                                    "; it must be 0 or more");
}

}  // namespace

Simulator::Simulator(std::shared_ptr<const JobTable> table, ProcCount processors,
                     const Policy& policy)
    : table_(std::move(table)), policy_(policy), processors_(processors),
      jobs_(make_replay_jobs(*table_, policy)), completions_(jobs_.size(), jobs_.first_submit) {
    check_policy(policy);
    if (processors <= 0)
        throw std::invalid_argument("a machine of " + std::to_string(processors) +
                                    " processors; it needs at least 1");
    const std::size_t n = jobs_.size();
    schedule_.start.assign(n, kNotStarted);
    schedule_.end.assign(n, kNotStarted);
    schedule_.state.assign(n, static_cast<std::uint8_t>(State::rejected));
    schedule_.backfilled.assign(n, 0);
    now_ = jobs_.first_submit;
    scheduler_ = scheduler_registry()
                     .find(policy_.backfill)
                     .make(ReplayContext{jobs_, policy_, processors_, schedule_});
    reject_oversized();
    if (arrivals_ == n)
        throw std::invalid_argument("none of the " + std::to_string(n) +
                                    " jobs fits a machine of " + std::to_string(processors) +
                                    " processors; give the machine's real size");
}

Simulator::Simulator(const Simulator& other)
    : table_(other.table_), policy_(other.policy_), processors_(other.processors_),
      jobs_(other.jobs_), schedule_(other.schedule_), completions_(other.completions_),
      scheduler_(
          other.scheduler_->clone(ReplayContext{jobs_, policy_, processors_, schedule_})),
      now_(other.now_), arrivals_(other.arrivals_), arrival_limit_(other.arrival_limit_),
      n_ended_(other.n_ended_), next_pass_(other.next_pass_), ended_(other.ended_),
      arrived_(other.arrived_) {}

void Simulator::run(const Progress& progress, JobId until_started) {
    unsigned steps = 0;
    const auto started = [&] {
        return until_started != kNoJob && schedule_.start[until_started] != kNotStarted;
    };
    while (!started()) {
        if (++steps % kStepsPerClockLook == 0 && progress) report(progress);
        const bool more = policy_.passes == Passes::per_instant ? step()
                          : policy_.passes == Passes::per_event ? step_event()
                                                                : step_period();
        if (!more) break;
    }
}

bool Simulator::step() {
    const Time now = next_instant();
    if (now == kNever) return false;
    now_ = now;
    collect_ends(now);
    collect_arrivals(now);
    pass_until_settled();
    return true;
}

// One pass after each single event.
bool Simulator::step_event() {
    const Time end = completions_.next();
    const Time arrival = next_arrival();
    const Time due = scheduler_->next_due();
    const Time now = std::max(now_, std::min({end, arrival, due}));
    if (now == kNever) return false;
    now_ = now;
    const bool ends_first = policy_.event_order == EventOrder::completions_first;
    if (end <= now && (ends_first || arrival > now)) {
        ended_.push_back(completions_.pop());
    } else if (arrival <= now) {
        arrived_.push_back(arrivals_++);
        reject_oversized();
    }
    pass();
    return true;
}

// Events are recorded as they come; passes run at multiples of the period only.
bool Simulator::step_period() {
    const Time period = policy_.period;
    const auto tick_from = [&](Time t) {
        const Time since = t - jobs_.first_submit;
        return jobs_.first_submit + (since + period - 1) / period * period;
    };
    const Time event = std::min(completions_.next(), next_arrival());
    if (event == kNever && next_pass_ == kNever) return false;
    if (event <= next_pass_) {
        now_ = event;
        collect_ends(event);
        collect_arrivals(event);
        next_pass_ = std::min(next_pass_, tick_from(event));
        return true;
    }
    now_ = next_pass_;
    pass_until_settled();
    const bool beliefs_drift = policy_.estimates == Estimates::user_history ||
                               policy_.waiting_estimates == Estimates::user_history ||
                               !policy_.kill_at_limit;
    const Time due = scheduler_->next_due();
    next_pass_ = due == kNever ? kNever : tick_from(std::max(due, now_ + 1));
    if (beliefs_drift && scheduler_->queued() > 0) next_pass_ = now_ + period;
    return true;
}

Time Simulator::next_instant() const {
    const Time event = std::min(completions_.next(), next_arrival());
    return std::min(event, std::max(scheduler_->next_due(), now_));
}

Time Simulator::next_arrival() const {
    return arrivals_ < jobs_.size() && arrivals_ < arrival_limit_ ? jobs_.submit(arrivals_)
                                                                  : kNever;
}

void Simulator::collect_ends(Time now) {
    while (completions_.next() == now) ended_.push_back(completions_.pop());
}

void Simulator::collect_arrivals(Time now) {
    while (next_arrival() == now) {
        arrived_.push_back(arrivals_++);
        reject_oversized();
    }
}

void Simulator::reject_oversized() {
    while (arrivals_ < jobs_.size() && jobs_.processors[arrivals_] > processors_) ++arrivals_;
}

// A job of length 0 ends at the instant of its start, and a further pass follows.
void Simulator::pass_until_settled() {
    do {
        pass();
        collect_ends(now_);
    } while (!ended_.empty());
}

void Simulator::pass() {
    scheduler_->pass(Instant{now_, ended_, arrived_}, starts_);
    n_ended_ += ended_.size();
    ended_.clear();
    arrived_.clear();
    for (std::size_t i = 0; i < starts_.jobs.size(); ++i) {
        const JobId job = starts_.jobs[i];
        const Duration run = jobs_.run_time[job];
        schedule_.start[job] = now_;
        schedule_.end[job] = now_ + run;
        const bool killed = run < table_->run_time[job];
        schedule_.state[job] = static_cast<std::uint8_t>(killed ? State::killed : State::completed);
        schedule_.backfilled[job] = starts_.backfilled[i];
        completions_.push(now_ + run, job);
    }
    starts_.clear();
}

void Simulator::report(const Progress& progress) {
    const auto clock = std::chrono::steady_clock::now();
    if (clock - reported_ < kReportEvery) return;
    reported_ = clock;
    progress(static_cast<double>(n_ended_ + arrivals_) / static_cast<double>(2 * jobs_.size()));
}

}  // namespace slotwise
