#include "planner/reservation/depth_planner.hpp"

#include <algorithm>

namespace slotwise {

template <Plan P>
DepthPlanner<P>::DepthPlanner(const ReplayContext& context, const DepthRule& rule, P plan)
    : context_(context), rule_(rule), queue_(context.policy.order, context.jobs),
      estimates_(context_), ends_(context_, estimates_), plan_(std::move(plan)),
      is_waiting_(context.jobs.size(), 0) {
    if (context.policy.backfill_order)
        candidates_.emplace(*context.policy.backfill_order, context.jobs);
}

template <Plan P>
DepthPlanner<P>::DepthPlanner(const DepthPlanner& other, const ReplayContext& context)
    : context_(context), rule_(other.rule_),
      queue_(other.queue_, context.policy.order, context.jobs), estimates_(other.estimates_),
      ends_(other.ends_), plan_(other.plan_, context_), reserved_(other.reserved_),
      last_blocked_(other.last_blocked_), is_waiting_(other.is_waiting_) {
    estimates_.rebind(context_);
    ends_.rebind(context_);
    if (other.candidates_)
        candidates_.emplace(*other.candidates_, *context.policy.backfill_order, context.jobs);
}

template <Plan P> void DepthPlanner<P>::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    plan_.advance(now_);
    finish(instant.ended);
    const bool waited = !queue_.empty();
    for (const JobId job : instant.arrived)
        enqueue(job);
    ends_.correct(now_, [&](JobId job, Time, Time end) { plan_.prolong(job, now_, end); });
    plan_.begin();
    if (queue_.empty() || plan_.is_full()) return;
    queue_.sort_at(now_);
    if (waited && only_arrivals_matter(instant))
        try_arrivals(instant.arrived);
    else
        try_all();
    remove_started();
}

template <Plan P> void DepthPlanner<P>::take_over(const Underway& underway) {
    if constexpr (requires { plan_.resume(JobId{}, Time{}); }) {
        plan_.advance(underway.now);
        estimates_.note_ended(underway.ended);
        for (const JobId job : underway.running) {
            const Time start = context_.schedule.start[job];
            plan_.resume(job, ends_.start(job, start, estimates_.running(job)));
        }
        for (const JobId job : underway.waiting)
            enqueue(job);
    } else {
        Scheduler::take_over(underway);
    }
}

template <Plan P> void DepthPlanner<P>::cancel(JobId job) {
    is_waiting_[job] = 0;
    queue_.erase(job);
    if (candidates_) candidates_->erase(job);
    last_blocked_ = kNoJob;
}

template <Plan P> void DepthPlanner<P>::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        const Time least = context_.schedule.start[job] + P::kLeastLength;
        plan_.finish(job, std::max(ends_.of(job, estimates_), least));
        ends_.forget(job);
    }
    estimates_.note_ended(ended);
}

template <Plan P> void DepthPlanner<P>::enqueue(JobId job) {
    if (!plan_.can_hold(job)) return;
    is_waiting_[job] = 1;
    queue_.insert(job);
    if (candidates_) candidates_->insert(job);
}

// Returns true if none of the jobs that were already waiting can start now, and all reservations
// remain valid.
template <Plan P> bool DepthPlanner<P>::only_arrivals_matter(const Instant& instant) const {
    if (!P::kKeepsReservations || last_blocked_ == kNoJob) return false;
    if (!instant.ended.empty() || queue_.drifts() || candidates_) return false;
    for (const Reservation& reservation : reserved_)
        if (reservation.from <= now_) return false;
    return std::all_of(instant.arrived.begin(), instant.arrived.end(),
                       [&](JobId job) { return queue_.precedes(last_blocked_, job); });
}

template <Plan P> void DepthPlanner<P>::try_all() {
    withdraw();
    last_blocked_ = start_in_order();
    if (last_blocked_ == kNoJob || !rule_.others_pass) return;
    if (candidates_) {
        candidates_->sort_at(now_);
        backfill(last_blocked_, candidates_->jobs());
    } else {
        backfill(last_blocked_, queue_.jobs().subspan(started_.size() + 1));
    }
}

template <Plan P> void DepthPlanner<P>::try_arrivals(std::span<const JobId> arrived) {
    if (!rule_.others_pass) return;
    arrivals_.clear();
    for (const JobId job : arrived)
        if (is_waiting_[job] != 0) arrivals_.push_back(job);
    queue_.sort(arrivals_, now_);
    if (!arrivals_.empty()) backfill(kNoJob, arrivals_);
}

// Starts jobs in order until one does not fit. Returns that job, or kNoJob if all have started.
template <Plan P> JobId DepthPlanner<P>::start_in_order() {
    for (const JobId job : queue_.jobs()) {
        const Duration length = at_least(estimates_.running(job));
        if (!plan_.fits_first(job, length)) return job;
        start(job, false, length);
    }
    return kNoJob;
}

// Tries the head, unless it is kNoJob, and then the other jobs. `others` may contain the head and
// jobs that have started. Once no remaining job can start, the loop continues only to make
// reservations that the plan keeps for later passes.
template <Plan P> void DepthPlanner<P>::backfill(JobId head, std::span<const JobId> others) {
    const auto is_tried = [&](JobId job) { return job != head && is_waiting_[job] != 0; };
    const auto tries_all = [&] { return P::kKeepsReservations && reserves(); };
    std::size_t end = others.size(); // no job from this index on can start
    const auto update_end = [&] {
        while (end > 0 && !(plan_.has_room(others[end - 1]) && is_tried(others[end - 1])))
            --end;
    };
    update_end();
    if (head != kNoJob && (end > 0 || tries_all()) && try_behind(head)) update_end();
    for (std::size_t i = 0; i < (tries_all() ? others.size() : end); ++i) {
        if (!plan_.has_room(others[i]) && !reserves()) continue;
        if (is_tried(others[i]) && try_behind(others[i])) update_end();
    }
    if (!P::kKeepsReservations) withdraw();
    plan_.close();
}

// Starts a job that comes after a blocked one, or reserves resources for it. Returns true if the
// job has started.
template <Plan P> bool DepthPlanner<P>::try_behind(JobId job) {
    if (plan_.has_room(job)) {
        const Duration length = at_least(estimates_.waiting(job));
        if (plan_.fits(job, length)) {
            start(job, true, length);
            return true;
        }
    }
    if (!reserves()) return false;
    last_blocked_ = job;
    reserve(job);
    return false;
}

template <Plan P> void DepthPlanner<P>::start(JobId job, bool past_another, Duration planned) {
    const Time end = ends_.start(job, now_, at_least(estimates_.running(job)));
    is_waiting_[job] = 0;
    started_.push_back(job);
    starts_->add(job, past_another);
    plan_.start(job, now_ + planned, end);
    if constexpr (kPlacesJobs) {
        starts_->nodes.push_back(plan_.nodes_of_start());
        starts_->close_nodes();
    }
}

template <Plan P> void DepthPlanner<P>::reserve(JobId job) {
    const Duration length = std::max<Duration>(estimates_.waiting(job), 1);
    const Time from = plan_.earliest(job, length, reserved_.empty());
    reserved_.push_back({job, from, from + length, {}});
    plan_.occupy(job, from, from + length, reserved_.back().hold);
}

template <Plan P> void DepthPlanner<P>::withdraw() {
    for (Reservation& reservation : reserved_)
        plan_.vacate(reservation.job, std::max(reservation.from, now_), reservation.to,
                     reservation.hold);
    reserved_.clear();
    if constexpr (P::kKeepsReservations) plan_.forget_failures();
}

template <Plan P> void DepthPlanner<P>::remove_started() {
    constexpr std::size_t kFew = 8;
    const auto remove_from = [&](OrderedQueue& queue) {
        if (started_.size() > kFew)
            return queue.erase_if([&](JobId job) { return is_waiting_[job] == 0; });
        for (const JobId job : started_)
            queue.erase(job);
    };
    remove_from(queue_);
    if (candidates_) remove_from(*candidates_);
    started_.clear();
}

template class DepthPlanner<ProcessorPlan>;
template class DepthPlanner<NodeJobPlan>;
template class DepthPlanner<IntervalJobPlan>;

namespace {

std::unique_ptr<Scheduler> make(const ReplayContext& context, std::int64_t depth) {
    return std::make_unique<DepthPlanner<ProcessorPlan>>(context, DepthRule{.depth = depth},
                                                         ProcessorPlan(context));
}

const bool depth_planner_registered =
    backfill_registry().add({
        .name = "depth",
        .doc = "The first `depth` jobs that cannot start have reservations that no other job may "
               "delay.",
        .reference = "",
        .parameters = {{.name = "depth",
                        .doc = "number of reservations, at least 1",
                        .default_value = 1.0,
                        .minimum = 1.0,
                        .kind = ParameterKind::whole,
                        .unit = "reservations"}},
        .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
        .reads_given = {},
        .works_on =
            {.pools = true, .torus = true, .intervals = true, .nodes = true, .nodes_alone = true},
        .plans_nodes_as_processors = true,
        .plan = [](const Policy& policy, std::int64_t) -> PlanRule {
            return {.reservations = static_cast<std::int64_t>(parameter_of(policy, "depth"))};
        },
        .make =
            [](const ReplayContext& context) {
                return make(context,
                            static_cast<std::int64_t>(parameter_of(context.policy, "depth")));
            },
    }) &&
    backfill_registry().add({
        .name = "replan",
        .doc = "Every job that cannot start has a reservation; each pass plans all reservations "
               "afresh.",
        .reference = "",
        .parameters = {},
        .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
        .reads_given = {},
        .works_on =
            {.pools = true, .torus = true, .intervals = true, .nodes = true, .nodes_alone = true},
        .plans_nodes_as_processors = true,
        .plan = [](const Policy&, std::int64_t) -> PlanRule {
            return {.reservations = kReserveForAll};
        },
        .make = [](const ReplayContext& context) { return make(context, kReserveForAll); },
    });

} // namespace

} // namespace slotwise
