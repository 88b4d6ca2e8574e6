#include "planner/reservation/conservative_planner.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

namespace {

StartGrid grid_of(const ReplayContext& context) {
    if (context.policy.passes != Passes::periodic) return {};
    return {context.jobs.first_submit, context.policy.period};
}

} // namespace

ConservativePlanner::ConservativePlanner(const ReplayContext& context)
    : context_(context), ranking_(context.policy.order, context.jobs), grid_(grid_of(context)),
      estimates_(context_), ends_(context_, estimates_), free_(context.processors),
      plan_(context.processors, context.jobs.first_submit, grid_) {
    if (ranking_.drifts()) plan_.expect_changes();
}

ConservativePlanner::ConservativePlanner(const ConservativePlanner& other,
                                         const ReplayContext& context)
    : context_(context), ranking_(other.ranking_, context.policy.order, context.jobs),
      next_rank_(other.next_rank_), grid_(other.grid_), estimates_(other.estimates_),
      ends_(other.ends_), free_(other.free_), plan_(other.plan_), announced_(other.announced_),
      gave_up_(other.gave_up_), gates_(other.gates_) {
    if (gates_) gates_->rebind(context_);
    estimates_.rebind(context_);
    ends_.rebind(context_);
    due_ = other.due_;
}

void ConservativePlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    ended_early_ = false;
    plan_.advance(now_);
    std::span<const JobId> ended = instant.ended;
    if (context_.policy.promise_per_arrival) ended = promise_between_ends(instant);
    finish(ended);
    if (gates_) return plan_under_limits(instant, starts);
    if (estimates_.can_be_outlived()) correct_estimates();
    const bool any_end = context_.policy.compress_at_every_end && !instant.ended.empty();
    if (ended_early_ || any_end || gave_up_) sweep();
    if (!context_.policy.promise_per_arrival) promise(instant.arrived);
    start_due(starts);
    due_ = plan_.promises().first_start();
}

// Gives each waiting job a new promise, as if the job had arrived at this instant.
void ConservativePlanner::take_over(const Underway& underway) {
    now_ = underway.now;
    plan_.advance(now_);
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        const Duration length = std::max<Duration>(estimates_.running(job), 1);
        plan_.add(now_, ends_.start(job, context_.schedule.start[job], length), -processors);
        free_ -= processors;
    }
    if (estimates_.can_be_outlived()) correct_estimates();
    promise(underway.waiting);
    due_ = plan_.promises().first_start();
}

void ConservativePlanner::cancel(JobId job) {
    if (gates_ && !gates_->leave(job)) return;
    const PromiseQueue& promises = plan_.promises();
    const PromiseQueue::Position at = promises.find(job);
    plan_.withdraw(at.block, std::uint64_t{1} << at.index);
    gave_up_ = true;
    due_ = plan_.promises().first_start();
}

// Handles the ends and arrivals of jobs in chronological order, so that the promise of each
// arriving job is based on the plan at its arrival. Returns the jobs that ended after the last
// arrival.
std::span<const JobId> ConservativePlanner::promise_between_ends(const Instant& instant) {
    std::span<const JobId> ended = instant.ended;
    const bool ends_first = context_.policy.event_order == EventOrder::completions_first;
    for (std::size_t i = 0; i < instant.arrived.size(); ++i) {
        const Time arrival = context_.jobs.submit(instant.arrived[i]);
        const auto comes_first = [&](JobId job) {
            const Time end = real_end(job);
            return ends_first ? end <= arrival : end < arrival;
        };
        std::size_t n = 0;
        while (n < ended.size() && comes_first(ended[n]))
            ++n;
        finish(ended.first(n));
        ended = ended.subspan(n);
        promise(instant.arrived.subspan(i, 1));
    }
    return ended;
}

// Releases the processors that the plan still reserves for jobs that have ended.
void ConservativePlanner::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        const ProcCount processors = context_.jobs.processors[job];
        const Time least = context_.schedule.start[job] + 1;
        const Time end = std::max(ends_.of(job, estimates_), least);
        ends_.forget(job);
        free_ += processors;
        if (end > std::min(real_end(job), now_)) ended_early_ = true;
        plan_.release(now_, end, processors);
    }
    estimates_.note_ended(ended);
}

void ConservativePlanner::correct_estimates() {
    Time to = now_;
    ends_.correct(now_, [&](JobId job, Time, Time end) {
        plan_.add(now_, end, -context_.jobs.processors[job]);
        to = std::max(to, end);
    });
    if (to > now_ && plan_.least(now_, to) < 0) restore(now_, to);
}

// Makes the plan feasible again between `from` and `to`. First, in policy order, each promise is
// kept if it fits alongside the running jobs and the promises already kept. The other promises are
// then placed again, also in policy order.
void ConservativePlanner::restore(Time from, Time to) {
    if (ranking_.drifts()) rank_by_score();
    const PromiseQueue& promises = plan_.promises();
    touched_.clear();
    for (std::size_t b = 0; b < promises.n_blocks(); ++b) {
        for (std::uint64_t lanes = promises.before(b, to); lanes != 0; lanes &= lanes - 1) {
            const PromiseQueue::Position at{b, static_cast<std::uint32_t>(std::countr_zero(lanes))};
            if (promises.get(at).end() <= from) continue;
            plan_.lift(at);
            touched_.push_back(at);
        }
    }
    const auto keeps = [&](PromiseQueue::Position at) {
        const Promise p = promises.get(at);
        const bool fits = plan_.least(p.start, p.end()) >= p.processors;
        if (fits) plan_.put_back(at);
        return fits;
    };
    std::erase_if(touched_, keeps);
    for (const PromiseQueue::Position at : touched_) {
        const Promise p = promises.get(at);
        plan_.place(at, earliest(p.processors, p.duration));
    }
}

void ConservativePlanner::sweep() {
    if (ranking_.drifts()) rank_by_score();
    gave_up_ = false;
    plan_.compress();
}

// Returns the earliest possible start of a job, after adding to the plan the announced windows up
// to the end of the job.
Time ConservativePlanner::earliest(ProcCount processors, Duration duration) {
    Time start;
    do
        start = plan_.earliest(processors, duration, now_);
    while (announced_.reach(start + static_cast<Time>(duration), now_, plan_));
    return start;
}

void ConservativePlanner::promise(std::span<const JobId> arrived) {
    jobs_.assign(arrived.begin(), arrived.end());
    if (jobs_.size() > 1) ranking_.sort(jobs_, now_);
    for (const JobId job : jobs_)
        promise(job);
}

// Promises the job the earliest possible start, and returns this start.
Time ConservativePlanner::promise(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const Duration duration = std::max<Duration>(estimates_.running(job), 1);
    const Time start = earliest(processors, duration);
    const JobId rank = ranking_.drifts() ? next_rank_++ : ranking_.rank_of(job);
    plan_.promise({job, rank, processors, duration, start});
    return start;
}

// Starts the jobs whose promised start has come, if enough processors are free. The processors may
// still be occupied by a job of length 0, or by a job whose end at this instant has not been
// handled yet. A later pass at the same instant then starts the promised job.
void ConservativePlanner::start_due(Starts& starts) {
    const PromiseQueue& promises = plan_.promises();
    if (promises.first_start() > now_) return;
    if (ranking_.drifts()) rank_by_score();
    bool past_another = false;
    for (std::size_t b = 0; b < promises.n_blocks();) {
        std::uint64_t due = promises.first_start(b) <= now_ ? promises.before(b, now_ + 1) : 0;
        std::uint64_t rest = promises.all(b) & ~due;
        for (std::uint64_t lanes = due; lanes != 0; lanes &= lanes - 1) {
            const auto index = static_cast<std::uint32_t>(std::countr_zero(lanes));
            const Promise p = promises.get({b, index});
            const bool has_room = p.processors <= free_ || context_.policy.ending_now_is_free;
            if (!has_room || (gates_ && !gates_->allows(p.job))) {
                due &= ~(std::uint64_t{1} << index);
                rest |= std::uint64_t{1} << index;
                continue;
            }
            free_ -= p.processors;
            const bool past_in_block = (rest & first_lanes(index)) != 0;
            starts.add(p.job, past_another || past_in_block || p.rank > left_rank_);
            ends_.start(p.job, now_, p.duration);
            if (gates_) gates_->note_started(p.job, ranking_);
        }
        past_another = past_another || rest != 0;
        if (due == 0 || !plan_.start(b, due)) ++b;
    }
}

void ConservativePlanner::rank_by_score() {
    plan_.promises().list_jobs(jobs_);
    ranking_.sort(jobs_, now_);
    plan_.reorder(jobs_);
    next_rank_ = static_cast<JobId>(jobs_.size());
}

namespace {

std::unique_ptr<Scheduler> make(const ReplayContext& context) {
    return std::make_unique<ConservativePlanner>(context);
}

const bool conservative_planner_registered = backfill_registry().add({
    .name = "conservative",
    .doc = "On arrival, every job is promised a start time that later jobs cannot delay.",
    .reference =
        "Feitelson and Mu'alem Weil, \"Utilization and predictability in scheduling the IBM "
        "SP2 with backfilling\", IPPS 1998",
    .parameters = {},
    .reads = queue_and({"estimates", "compression", "promises"}),
    .reads_given = {},
    .works_on =
        {.pools = true, .torus = true, .intervals = true, .nodes = true, .nodes_alone = true},
    .plans_nodes_as_processors = true,
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {.promises = true}; },
    .make = make,
});

} // namespace

} // namespace slotwise
