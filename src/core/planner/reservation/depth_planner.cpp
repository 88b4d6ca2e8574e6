#include "planner/reservation/depth_planner.hpp"

#include <algorithm>

namespace slotwise {

template <Plan P>
DepthPlanner<P>::DepthPlanner(const ReplayContext& context, const DepthRule& rule, P plan)
    : context_(context), rule_(rule), queue_(context.policy.order, context.jobs),
      backfill_ranking_(context.policy.order_behind_head(), context.jobs), estimates_(context_),
      ends_(context_, estimates_), plan_(std::move(plan)), is_waiting_(context.jobs.size(), 0) {}

template <Plan P>
DepthPlanner<P>::DepthPlanner(const DepthPlanner& other, const ReplayContext& context)
    : context_(context), rule_(other.rule_),
      queue_(other.queue_, context.policy.order, context.jobs),
      backfill_ranking_(other.backfill_ranking_, context.policy.order_behind_head(), context.jobs),
      estimates_(other.estimates_), ends_(other.ends_), plan_(other.plan_, context_),
      reserved_(other.reserved_), last_blocked_(other.last_blocked_),
      is_waiting_(other.is_waiting_) {
    estimates_.rebind(context_);
    ends_.rebind(context_);
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
    if (!starts.jobs.empty()) queue_.erase_if([&](JobId job) { return is_waiting_[job] == 0; });
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
}

// Returns true if all jobs that were already waiting still cannot start, and all reservations
// remain valid.
template <Plan P> bool DepthPlanner<P>::only_arrivals_matter(const Instant& instant) const {
    if (!P::kKeepsReservations || last_blocked_ == kNoJob) return false;
    if (!instant.ended.empty() || queue_.drifts()) return false;
    for (const Reservation& reservation : reserved_)
        if (reservation.from <= now_) return false;
    return std::all_of(instant.arrived.begin(), instant.arrived.end(),
                       [&](JobId job) { return queue_.precedes(last_blocked_, job); });
}

template <Plan P> void DepthPlanner<P>::try_all() {
    withdraw();
    last_blocked_ = kNoJob;
    tried_.assign(queue_.jobs().begin(), queue_.jobs().end());
    const std::size_t blocked = start_in_order();
    if (blocked == tried_.size()) return;
    last_blocked_ = tried_[blocked];
    if (rule_.others_pass) backfill(blocked);
}

template <Plan P> void DepthPlanner<P>::try_arrivals(std::span<const JobId> arrived) {
    tried_.clear();
    for (const JobId job : queue_.jobs())
        if (std::binary_search(arrived.begin(), arrived.end(), job)) tried_.push_back(job);
    if (rule_.others_pass && !tried_.empty()) backfill(0);
}

// Starts jobs in order until one does not fit, and returns the index of that job in tried_.
template <Plan P> std::size_t DepthPlanner<P>::start_in_order() {
    std::size_t i = 0;
    for (; i < tried_.size(); ++i) {
        const Duration length = at_least(estimates_.running(tried_[i]));
        if (!plan_.fits_first(tried_[i], length)) return i;
        start(tried_[i], false, length);
    }
    return i;
}

template <Plan P> void DepthPlanner<P>::backfill(std::size_t first_blocked) {
    if (context_.policy.backfill_order)
        backfill_ranking_.sort(std::span(tried_).subspan(first_blocked + 1), now_);
    plan_.look_ahead(tried_, first_blocked);
    for (std::size_t i = first_blocked; i < tried_.size(); ++i) {
        const bool reserves = static_cast<std::int64_t>(reserved_.size()) < rule_.depth;
        if (!plan_.may_any_fit(i, reserves)) break;
        const JobId job = tried_[i];
        const Duration length = at_least(estimates_.waiting(job));
        if (plan_.fits(job, length)) {
            start(job, true, length);
        } else if (reserves) {
            last_blocked_ = job;
            reserve(job);
        }
    }
    if (!P::kKeepsReservations) withdraw();
    plan_.close();
}

template <Plan P> void DepthPlanner<P>::start(JobId job, bool past_another, Duration planned) {
    const Time end = ends_.start(job, now_, at_least(estimates_.running(job)));
    is_waiting_[job] = 0;
    starts_->add(job, past_another);
    plan_.start(job, now_ + planned, end);
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

template class DepthPlanner<ProcessorPlan>;
template class DepthPlanner<NodeJobPlan>;

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
        .works_on = {.pools = true,
                     .torus = true,
                     .intervals = true,
                     .nodes = true,
                     .nodes_alone = true,
                     .stepping = true},
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
        .doc =
            "Every job that cannot start has a reservation; all are planned afresh in each pass.",
        .reference = "",
        .parameters = {},
        .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
        .reads_given = {},
        .works_on = {.pools = true,
                     .torus = true,
                     .intervals = true,
                     .nodes = true,
                     .nodes_alone = true,
                     .stepping = true},
        .plan = [](const Policy&, std::int64_t) -> PlanRule {
            return {.reservations = kReserveForAll};
        },
        .make = [](const ReplayContext& context) { return make(context, kReserveForAll); },
    });

} // namespace

} // namespace slotwise
