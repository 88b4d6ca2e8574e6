#include "decisions/decision_replay.hpp"

#include "planner/easy/pass_in_order.hpp"
#include "planner/easy/shadow.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace slotwise {

namespace {

double inverse_length(const ReplayJobs& jobs, JobId job) {
    return 1.0 / static_cast<double>(std::max<Duration>(jobs.run_time[job], 1));
}

// The jobs of a pass, in order. Has the interface that pass_in_order.hpp requires of a `queue`.
struct JobsInOrder {
    std::span<const JobId> order;
    const ReplayJobs& columns;

    std::size_t begin() const { return 0; }
    std::size_t end() const { return order.size(); }
    JobId job_at(std::size_t position) const { return order[position]; }
    std::size_t next(std::size_t from, const BackfillBounds& bounds) const {
        for (std::size_t i = from; i < end(); ++i) {
            const ProcCount need = columns.processors[order[i]];
            if (need > bounds.free) continue;
            if (need <= bounds.extra || columns.requested_time[order[i]] <= bounds.until_shadow)
                return i;
        }
        return end();
    }
};

// The reservation made for the head of the queue in one pass. Without a reservation, every job that
// fits may start before the head.
struct HeadReservation {
    const ReplayJobs& columns;
    const DecisionState& at;
    bool reserves;
    Shadow shadow;

    ProcCount available() const { return at.free; }
    bool fits(JobId job) const { return columns.processors[job] <= at.free; }
    void reserve_for(JobId head) {
        if (reserves) shadow = at.running.shadow(at.free, columns.processors[head], at.now);
    }
    BackfillBounds bounds() const { return {at.free, shadow.longest_from(at.now), shadow.spare()}; }
    bool may_start(JobId job) {
        return fits(job) &&
               shadow.admits(at.now + columns.requested_time[job], columns.processors[job]);
    }
};

} // namespace

DecisionReplay::DecisionReplay(std::shared_ptr<const DecisionJobs> jobs,
                               const DecisionOptions& options)
    : jobs_(std::move(jobs)), options_(options) {}

DecisionReplay::DecisionReplay(const DecisionReplay& other)
    : jobs_(other.jobs_), options_(other.options_),
      order_(other.order_ == nullptr ? nullptr : make_order(other.rule().order)), at_(other.at_) {}

void DecisionReplay::use(std::shared_ptr<const DecisionJobs> jobs) {
    jobs_ = std::move(jobs);
    at_ = {};
}

void DecisionReplay::take(const DecisionReplay& other) {
    jobs_ = other.jobs_;
    resume(other.at_);
}

void DecisionReplay::resume(DecisionState state) {
    at_ = std::move(state);
    order_ = rule().drifts ? make_order(rule().order) : nullptr;
}

void DecisionReplay::begin(JobId first, JobId last, JobId warm_from) {
    at_ = {};
    at_.first = first;
    at_.last = last;
    at_.next = warm_from;
    at_.done = false;
    at_.free = jobs_->machine();
    for (JobId job = first; job < last; ++job)
        at_.n_jobs += jobs_->fits_machine(job) ? 1 : 0;
    while (at_.next < last && !jobs_->fits_machine(at_.next))
        ++at_.next;
    take_policy(0);
    at_.now = jobs_->columns().submit(std::min(at_.next, first));
    at_.next_choice = jobs_->columns().submit(first);
    go_on();
}

void DecisionReplay::choose(std::size_t choice) {
    if (choice >= n_choices()) {
        choice = n_choices() - 1;
        ++at_.n_masked;
    }
    if (options_.decides == Decides::policy) {
        at_.pass_due = choice != at_.rule && !at_.waiting.empty();
        take_policy(choice);
        at_.next_choice += options_.period;
        at_.has_chosen = true;
        at_.has_moved = false;
        go_on();
        return;
    }
    const JobId job = at_.waiting[choice];
    if (options_.decides == Decides::job && fits(job)) {
        start(job);
    } else {
        if (options_.keeps_choice && options_.decides == Decides::job) at_.kept = job;
        put_in_front(job);
    }
    go_on();
}

void DecisionReplay::score(std::span<const double> scores) {
    const std::size_t n = window().size();
    std::vector<std::uint32_t> position(n);
    for (std::size_t i = 0; i < n; ++i)
        position[i] = static_cast<std::uint32_t>(i);
    std::sort(position.begin(), position.end(), [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] > scores[b] || (scores[a] == scores[b] && at_.waiting[a] < at_.waiting[b]);
    });
    ordered_.clear();
    for (const std::uint32_t i : position)
        ordered_.push_back(at_.waiting[i]);
    ordered_.insert(ordered_.end(), at_.waiting.begin() + static_cast<std::ptrdiff_t>(n),
                    at_.waiting.end());
    pass(ordered_);
    go_on();
}

// Continues the replay until the agent must make a decision or no event is left.
void DecisionReplay::go_on() {
    for (;;) {
        if (at_.pass_due && asks_in_pass()) return;
        if (at_.pass_due) {
            ordered_ = at_.waiting;
            pass(ordered_);
        }
        const Time next = next_event();
        if (asks_for_policy(next)) return;
        if (next == kNever) {
            at_.done = true;
            return;
        }
        move_to(next);
        at_.has_moved = true;
        end_jobs();
        while (at_.next < at_.last && jobs_->columns().submit(at_.next) == at_.now)
            arrive(at_.next);
        at_.pass_due = true;
        if (rule().drifts) sort_waiting();
    }
}

// Returns true if the agent must make a decision in the pass that is due. If no waiting job fits,
// the pass ends without a decision.
bool DecisionReplay::asks_in_pass() {
    if (at_.kept != kNoJob) follow_kept_choice();
    const bool any_fits = at_.pass_due && std::any_of(at_.waiting.begin(), at_.waiting.end(),
                                                      [&](JobId job) { return fits(job); });
    if (!any_fits) {
        at_.pass_due = false;
        return false;
    }
    const bool is_warming = at_.now < jobs_->columns().submit(at_.first);
    return options_.decides != Decides::policy && !is_warming;
}

void DecisionReplay::follow_kept_choice() {
    const JobId job = at_.kept;
    if (!fits(job)) {
        put_in_front(job);
        return;
    }
    at_.kept = kNoJob;
    start(job);
}

// Returns true if the agent must choose a policy before the event at time `next`. The first choice
// comes before the first event of the episode. A later choice, at time t, comes after all events up
// to and including t.
bool DecisionReplay::asks_for_policy(Time next) {
    if (options_.decides != Decides::policy || next == kNever) return false;
    if (at_.has_chosen && !at_.has_moved && next > at_.next_choice)
        at_.next_choice +=
            (next - at_.next_choice + options_.period - 1) / options_.period * options_.period;
    const bool is_due = at_.has_chosen ? next > at_.next_choice : next >= at_.next_choice;
    if (is_due) move_to(at_.next_choice);
    return is_due;
}

Time DecisionReplay::next_event() const {
    const Time arrival = at_.next < at_.last ? jobs_->columns().submit(at_.next) : kNever;
    return std::min(arrival, at_.running.next_end());
}

void DecisionReplay::move_to(Time time) {
    const Time seconds = time - at_.now;
    at_.now = time;
    if (at_.now - seconds < jobs_->columns().submit(at_.first)) return; // warming up
    at_.totals.seconds += seconds;
    at_.totals.waited += seconds * static_cast<std::int64_t>(at_.waiting.size());
    at_.totals.waited_area += seconds * at_.waiting_processors;
    at_.totals.busy_area += seconds * (jobs_->machine() - at_.free);
    at_.totals.presence += static_cast<double>(seconds) * at_.presence;
}

void DecisionReplay::arrive(JobId job) {
    do
        ++at_.next;
    while (at_.next < at_.last && !jobs_->fits_machine(at_.next));
    at_.waiting_processors += jobs_->columns().processors[job];
    at_.presence += inverse_length(jobs_->columns(), job);
    insert(job);
}

void DecisionReplay::insert(JobId job) {
    const std::vector<JobId>& rank = rule().rank;
    if (rank.empty()) {
        at_.waiting.push_back(job); // jobs arrive in the order of the trace
        return;
    }
    const auto at = std::upper_bound(at_.waiting.begin(), at_.waiting.end(), job,
                                     [&](JobId a, JobId b) { return rank[a] < rank[b]; });
    at_.waiting.insert(at, job);
}

void DecisionReplay::end_jobs() {
    while (at_.running.next_end() == at_.now) {
        const RunningJobs::Running ended = at_.running.pop();
        at_.free += ended.processors;
        at_.presence -= inverse_length(jobs_->columns(), ended.job);
    }
    if (at_.running.size() == 0 && at_.waiting.empty())
        at_.presence = 0; // discards the rounding errors of the sum
}

void DecisionReplay::start(JobId job) {
    const ReplayJobs& columns = jobs_->columns();
    const Duration length = columns.run_time[job];
    at_.running.add({at_.now + columns.requested_time[job], job, columns.processors[job]},
                    at_.now + length);
    at_.free -= columns.processors[job];
    at_.waiting_processors -= columns.processors[job];
    leave(job);
    at_.starts.add(job, at_.now);
    if (job < at_.first) return;
    const auto wait = static_cast<double>(at_.now - columns.submit(job));
    const double run = length;
    at_.totals.bounded_slowdown += std::max(1.0, (wait + run) / std::max(run, 10.0));
    ++at_.totals.n_started;
}

void DecisionReplay::leave(JobId job) {
    const std::vector<JobId>& rank = rule().rank;
    auto at = at_.waiting.end();
    if (rule().drifts)
        at = std::find(at_.waiting.begin(), at_.waiting.end(), job);
    else
        at = std::lower_bound(at_.waiting.begin(), at_.waiting.end(), job, [&](JobId a, JobId b) {
            return rank.empty() ? a < b : rank[a] < rank[b];
        });
    at_.waiting.erase(at);
}

void DecisionReplay::take_policy(std::size_t choice) {
    at_.rule = choice;
    order_ = rule().drifts ? make_order(rule().order) : nullptr;
    sort_waiting();
}

// Sorts the waiting jobs by the order of the policy. Jobs with equal scores stay in trace order.
void DecisionReplay::sort_waiting() {
    const std::vector<JobId>& rank = rule().rank;
    if (at_.waiting.size() < 2) return;
    if (!rule().drifts) {
        std::sort(at_.waiting.begin(), at_.waiting.end(),
                  [&](JobId a, JobId b) { return rank.empty() ? a < b : rank[a] < rank[b]; });
        return;
    }
    std::sort(at_.waiting.begin(), at_.waiting.end());
    scores_.resize(at_.waiting.size());
    order_->score(jobs_->columns(), at_.waiting, at_.now, scores_);
    std::vector<std::pair<double, JobId>> scored(at_.waiting.size());
    for (std::size_t i = 0; i < scored.size(); ++i)
        scored[i] = {scores_[i], at_.waiting[i]};
    std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) {
        return a.first > b.first || (a.first == b.first && a.second < b.second);
    });
    for (std::size_t i = 0; i < scored.size(); ++i)
        at_.waiting[i] = scored[i].second;
}

void DecisionReplay::put_in_front(JobId job) {
    ordered_.assign(1, job);
    for (const JobId other : at_.waiting)
        if (other != job) ordered_.push_back(other);
    pass(ordered_);
}

// Runs the pass that is due, which starts jobs in the given order.
void DecisionReplay::pass(std::span<const JobId> order) {
    at_.pass_due = false;
    const JobsInOrder queue{order, jobs_->columns()};
    HeadReservation reservation{jobs_->columns(), at_, rule().reserves, {}};
    pass_in_order(queue, rule().others_pass, reservation, [&](std::size_t position, bool) {
        start(order[position]);
        return position + 1;
    });
}

} // namespace slotwise
