#include "planner/reservation/depth_planner.hpp"

#include <algorithm>

namespace slotwise {

DepthPlanner::Sorting DepthPlanner::sorting_of(const OrderSpec& spec, const ReplayJobs& jobs) {
    Sorting sorting{make_order(spec), {}, false};
    sorting.drifts = !sorting.order->is_static();
    if (!sorting.drifts) sorting.rank = static_ranks(*sorting.order, jobs);
    return sorting;
}

DepthPlanner::DepthPlanner(const ReplayContext& context, std::int64_t depth)
    : context_(context), depth_(depth), order_(sorting_of(context.policy.order, context.jobs)),
      backfill_order_(sorting_of(context.policy.order_behind_head(), context.jobs)),
      estimates_(context_), ends_(context_, estimates_), free_(context.processors),
      plan_(context.processors, context.jobs.first_submit), is_waiting_(context.jobs.size(), 0) {}

DepthPlanner::DepthPlanner(const DepthPlanner& other, const ReplayContext& context)
    : DepthPlanner(context, other.depth_) {
    estimates_ = other.estimates_;
    ends_ = other.ends_;
    free_ = other.free_;
    plan_ = other.plan_;
    queue_ = other.queue_;
    is_waiting_ = other.is_waiting_;
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
    tried_ = queue_;
    if (order_.drifts) sort(order_, 0);
    const std::size_t blocked = start_in_order();
    if (blocked < tried_.size()) backfill(blocked);
    if (!starts.jobs.empty())
        std::erase_if(queue_, [&](JobId job) { return is_waiting_[job] == 0; });
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
    std::erase(queue_, job);
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
    const std::vector<JobId>& rank = order_.rank;
    const auto precedes = [&](JobId a, JobId b) {
        return rank.empty() ? a < b : rank[a] < rank[b];
    };
    queue_.insert(std::upper_bound(queue_.begin(), queue_.end(), job, precedes), job);
}

// Sorts tried_ from index `from` on by `sorting` at this instant.
void DepthPlanner::sort(const Sorting& sorting, std::size_t from) {
    const std::span<JobId> jobs(tried_.begin() + static_cast<std::ptrdiff_t>(from), tried_.end());
    scores_.assign(jobs.size(), 0.0);
    if (sorting.drifts) sorting.order->score(context_.jobs, jobs, now_, scores_);
    keys_.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        keys_.push_back(
            {scores_[i], sorting.rank.empty() ? jobs[i] : sorting.rank[jobs[i]], jobs[i]});
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
        return a.score > b.score || (a.score == b.score && a.rank < b.rank);
    });
    for (std::size_t i = 0; i < jobs.size(); ++i)
        jobs[i] = keys_[i].job;
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
    if (context_.policy.backfill_order) sort(backfill_order_, first_blocked + 1);
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
    backfill_registry().add({
        .name = "depth",
        .doc = "The first `depth` jobs that cannot start have reservations no other may delay.",
        .reference = "",
        .parameters = {{.name = "depth",
                        .doc = "number of reservations, at least 1",
                        .default_value = 1.0,
                        .minimum = 1.0,
                        .kind = ParameterKind::whole,
                        .unit = "reservations"}},
        .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
        .reads_given = {},
        .works_on = {.pools = true, .torus = true, .nodes = true, .stepping = true},
        .plan = [](const Policy& policy, std::int64_t) -> PlanRule {
            return {.reservations = static_cast<std::int64_t>(parameter_of(policy, "depth"))};
        },
        .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
            return std::make_unique<DepthPlanner>(
                context, static_cast<std::int64_t>(parameter_of(context.policy, "depth")));
        },
    }) &&
    backfill_registry().add({
        .name = "replan",
        .doc = "Every job that cannot start has a reservation, all planned afresh each pass.",
        .reference = "",
        .parameters = {},
        .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
        .reads_given = {},
        .works_on = {.pools = true, .torus = true, .nodes = true, .stepping = true},
        .plan = [](const Policy&, std::int64_t) -> PlanRule {
            return {.reservations = kReserveForAll};
        },
        .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
            return std::make_unique<DepthPlanner>(context, DepthPlanner::kUnlimited);
        },
    });

} // namespace

} // namespace slotwise
