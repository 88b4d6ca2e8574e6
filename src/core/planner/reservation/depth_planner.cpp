#include "planner/reservation/depth_planner.hpp"

#include <algorithm>

namespace slotwise {

DepthPlanner::DepthPlanner(const ReplayContext& context, std::int64_t depth)
    : context_(context), depth_(depth), queue_(context.policy.order, context.jobs),
      backfill_ranking_(context.policy.order_behind_head(), context.jobs), estimates_(context_),
      ends_(context_, estimates_), free_(context.processors),
      plan_(context.processors, context.jobs.first_submit), is_waiting_(context.jobs.size(), 0) {}

DepthPlanner::DepthPlanner(const DepthPlanner& other, const ReplayContext& context)
    : context_(context), depth_(other.depth_),
      queue_(other.queue_, context.policy.order, context.jobs),
      backfill_ranking_(other.backfill_ranking_, context.policy.order_behind_head(), context.jobs),
      estimates_(other.estimates_), ends_(other.ends_), free_(other.free_), plan_(other.plan_),
      is_waiting_(other.is_waiting_) {
    estimates_.rebind(context_);
    ends_.rebind(context_);
}

void DepthPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    plan_.advance(now_);
    finish(instant.ended);
    for (const JobId job : instant.arrived)
        enqueue(job);
    ends_.correct(now_, [&](JobId job, Time, Time end) {
        plan_.add(now_, end, -context_.jobs.processors[job]);
    });
    available_ = context_.policy.ending_now_is_free ? plan_.least(now_, now_ + 1) : free_;
    if (queue_.empty() || available_ == 0) return;
    queue_.sort_at(now_);
    tried_.assign(queue_.jobs().begin(), queue_.jobs().end());
    const std::size_t blocked = start_in_order();
    if (blocked < tried_.size()) backfill(blocked);
    if (!starts.jobs.empty()) queue_.erase_if([&](JobId job) { return is_waiting_[job] == 0; });
}

void DepthPlanner::take_over(const Underway& underway) {
    plan_.advance(underway.now);
    estimates_.note_ended(underway.ended);
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        const Time start = context_.schedule.start[job];
        plan_.add(underway.now, ends_.start(job, start, estimates_.running(job)), -processors);
        free_ -= processors;
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

void DepthPlanner::cancel(JobId job) {
    is_waiting_[job] = 0;
    queue_.erase(job);
}

void DepthPlanner::finish(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        const ProcCount processors = context_.jobs.processors[job];
        plan_.add(now_, ends_.of(job, estimates_), processors);
        ends_.forget(job);
        free_ += processors;
    }
    estimates_.note_ended(ended);
}

void DepthPlanner::enqueue(JobId job) {
    is_waiting_[job] = 1;
    queue_.insert(job);
}

// Starts jobs until one does not fit, and gives its index in tried_.
std::size_t DepthPlanner::start_in_order() {
    std::size_t i = 0;
    for (; i < tried_.size() && context_.jobs.processors[tried_[i]] <= available_; ++i)
        start(tried_[i], false, estimates_.running(tried_[i]));
    return i;
}

void DepthPlanner::measure_narrowest(std::size_t from) {
    narrowest_.resize(tried_.size());
    ProcCount narrowest = std::numeric_limits<ProcCount>::max();
    for (std::size_t i = tried_.size(); i-- > from;) {
        narrowest = std::min(narrowest, context_.jobs.processors[tried_[i]]);
        narrowest_[i] = narrowest;
    }
}

void DepthPlanner::backfill(std::size_t first_blocked) {
    if (context_.policy.backfill_order)
        backfill_ranking_.sort(std::span(tried_).subspan(first_blocked + 1), now_);
    measure_narrowest(first_blocked);
    std::int64_t left = depth_;
    for (std::size_t i = first_blocked; i < tried_.size() && narrowest_[i] <= available_; ++i) {
        const JobId job = tried_[i];
        const ProcCount processors = context_.jobs.processors[job];
        const Duration length = estimates_.waiting(job);
        const Time end = now_ + length;
        const bool fits =
            processors <= available_ && (end == now_ || plan_.least(now_, end) >= processors);
        if (fits) {
            start(job, true, length);
        } else if (left > 0) {
            reserve(job);
            --left;
        }
    }
    unplan();
}

void DepthPlanner::start(JobId job, bool past_another, Duration planned) {
    const ProcCount processors = context_.jobs.processors[job];
    const Time end = ends_.start(job, now_, estimates_.running(job));
    is_waiting_[job] = 0;
    starts_->add(job, past_another);
    plan_.add(now_, now_ + planned, -processors);
    if (end != now_ + planned) {
        reserved_.push_back({now_, now_ + planned, processors});
        reserved_.push_back({now_, end, -processors});
    }
    free_ -= processors;
    if (end > now_ || !context_.policy.ending_now_is_free) available_ -= processors;
}

// Takes the reservations of the pass out of the plan.
void DepthPlanner::unplan() {
    for (const Span& span : reserved_)
        plan_.add(span.from, span.to, span.processors);
    reserved_.clear();
}

void DepthPlanner::reserve(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    const Time duration = std::max<Time>(estimates_.waiting(job), 1);
    const Time from = plan_.earliest(processors, duration, now_, {});
    plan_.add(from, from + duration, -processors);
    reserved_.push_back({from, from + duration, processors});
}

namespace {

const bool depth_planner_registered =
    scheduler_registry().add({
        .name = "depth",
        .doc = "The first `depth` jobs that cannot start have reservations no other may delay.",
        .reference = "",
        .parameters = {{"depth", "number of reservations, at least 1", 1.0, 1.0}},
        .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
            return std::make_unique<DepthPlanner>(context, context.policy.depth);
        },
    }) &&
    scheduler_registry().add({
        .name = "replan",
        .doc = "Every job that cannot start has a reservation, all planned afresh each pass.",
        .reference = "",
        .parameters = {},
        .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
            return std::make_unique<DepthPlanner>(context, DepthPlanner::kUnlimited);
        },
    });

} // namespace

} // namespace slotwise
