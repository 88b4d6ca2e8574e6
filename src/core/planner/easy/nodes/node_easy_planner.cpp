#include "planner/easy/nodes/node_easy_planner.hpp"

#include "order/order.hpp"

namespace slotwise {

bool NodeEasyPlanner::fits(const ReplayContext& context) {
    const RunTimeEstimates estimates(context);
    return plans_as_easy(context.policy) && !context.policy.backfill_order &&
           make_order(context.policy.order)->is_static() && !estimates.can_be_outlived() &&
           !estimates.change_at_start() && !estimates.waiting_drift();
}

NodeEasyPlanner::NodeEasyPlanner(const ReplayContext& context,
                                 std::shared_ptr<const JobDemands> demands)
    : context_(context), demands_(std::move(demands)), ranking_(context.policy.order, context.jobs),
      estimates_(context_), room_(demands_, context.jobs.size(), context.jobs.first_submit),
      queue_(demands_->kind_of, demands_->kinds.size(),
             [&](JobId a, JobId b) { return ranking_.precedes(a, b); }),
      waiting_(context.jobs.size()) {
    bool differs = false;
    for (JobId job = 0; job < context.jobs.size() && !differs; ++job)
        differs = ranking_.rank_of(job) != job;
    if (differs) by_rank_.resize(context.jobs.size());
    for (JobId job = 0; job < by_rank_.size(); ++job)
        by_rank_[ranking_.rank_of(job)] = job;
}

NodeEasyPlanner::NodeEasyPlanner(const NodeEasyPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), demands_(other.demands_),
      ranking_(other.ranking_, context.policy.order, context.jobs), estimates_(other.estimates_),
      room_(other.room_), queue_(other.queue_), waiting_(other.waiting_), by_rank_(other.by_rank_),
      head_(other.head_) {
    estimates_.rebind(context_);
}

void NodeEasyPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    room_.advance(now_);
    finish(instant.ended);
    const bool only_arrivals = only_arrivals_matter(instant);
    enqueue(instant.arrived);
    if (waiting_.empty()) return;
    if (only_arrivals) return backfill(instant.arrived);
    if (!keeps_head()) start_in_order();
    if (!waiting_.empty()) backfill();
}

void NodeEasyPlanner::cancel(JobId job) {
    if (!queue_.contains(job)) return;
    queue_.erase(job);
    waiting_.erase(ranking_.rank_of(job));
    head_ = kNoJob;
}

void NodeEasyPlanner::finish(std::span<const JobId> ended) {
    for (const JobId job : ended)
        room_.finish(job, context_.schedule.start[job] + length_of(job));
}

void NodeEasyPlanner::enqueue(std::span<const JobId> arrived) {
    for (const JobId job : arrived) {
        if (demands_->can_run[demands_->kind_of[job]] == 0) continue;
        queue_.insert(job, length_of(job));
        waiting_.insert(ranking_.rank_of(job));
    }
}

// Returns true if the jobs that were already waiting still do not fit, and the reservation is still
// valid.
bool NodeEasyPlanner::only_arrivals_matter(const Instant& instant) const {
    return head_ != kNoJob && instant.ended.empty() && room_.is_reserved_later() &&
           std::all_of(instant.arrived.begin(), instant.arrived.end(),
                       [&](JobId job) { return ranking_.precedes(head_, job); });
}

// Returns true if the head still does not fit, and would get the same reservation again.
bool NodeEasyPlanner::keeps_head() const {
    return head_ != kNoJob && first() == head_ && room_.stands();
}

// Starts jobs in order until one does not fit, and reserves room for that job.
void NodeEasyPlanner::start_in_order() {
    room_.drop_reservation();
    head_ = kNoJob;
    while (!waiting_.empty() && head_ == kNoJob)
        if (const JobId job = first(); !try_start(job, false)) head_ = job;
    if (head_ != kNoJob) room_.reserve(demands_->kind_of[head_]);
}

void NodeEasyPlanner::backfill() {
    candidates_.clear();
    for (const std::uint32_t kind : queue_.demands())
        list(kind, queue_.begin(kind));
    std::make_heap(candidates_.begin(), candidates_.end());
    while (!candidates_.empty()) {
        std::pop_heap(candidates_.begin(), candidates_.end());
        const DemandQueue::Slot slot = candidates_.back().slot;
        candidates_.pop_back();
        const JobId job = queue_.job(slot);
        const bool has_started = try_start(job, true);
        if (list(demands_->kind_of[job], has_started ? slot + 1 : slot))
            std::push_heap(candidates_.begin(), candidates_.end());
    }
}

void NodeEasyPlanner::backfill(std::span<const JobId> arrived) {
    arrivals_.clear();
    for (const JobId job : arrived)
        if (queue_.contains(job)) arrivals_.push_back(job);
    std::sort(arrivals_.begin(), arrivals_.end(),
              [&](JobId a, JobId b) { return ranking_.precedes(a, b); });
    for (const JobId job : arrivals_)
        try_start(job, true);
}

// Adds a candidate: the first job of this kind, at or after `from`, that may be short enough to
// start. Returns false if there is no such job.
bool NodeEasyPlanner::list(std::uint32_t kind, DemandQueue::Slot from) {
    const Duration longest = room_.longest(kind);
    if (longest == 0) return false;
    const DemandQueue::Slot slot = queue_.next(kind, from, longest);
    if (slot == queue_.end(kind)) return false;
    candidates_.push_back({ranking_.rank_of(queue_.job(slot)), slot});
    return true;
}

bool NodeEasyPlanner::try_start(JobId job, bool past_another) {
    const std::uint32_t kind = demands_->kind_of[job];
    const Duration length = length_of(job);
    if (room_.longest(kind) < length || !room_.place(kind, length, found_)) return false;
    room_.start(job, found_, now_ + length);
    queue_.erase(job);
    waiting_.erase(ranking_.rank_of(job));
    starts_->add(job, past_another);
    return true;
}

} // namespace slotwise
