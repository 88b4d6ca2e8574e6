#include "planner/torus/contiguous_planner.hpp"

#include <algorithm>

namespace slotwise {

ContiguousPlanner::ContiguousPlanner(const ReplayContext& context)
    : ContiguousPlanner(context, plan_of(context.policy)) {}

ContiguousPlanner::ContiguousPlanner(const ReplayContext& context, const PlanRule& rule)
    : context_(context), others_pass_(!rule.closes), reserves_(rule.reservations > 0),
      queue_(context.policy.order, context.jobs), slots_(context.site.torus->nodes()),
      reservation_(context_) {
    if (context.policy.backfill_order)
        candidates_.emplace(*context.policy.backfill_order, context.jobs);
}

ContiguousPlanner::ContiguousPlanner(const ContiguousPlanner& other, const ReplayContext& context)
    : context_(context), others_pass_(other.others_pass_), reserves_(other.reserves_),
      queue_(other.queue_, context.policy.order, context.jobs), slots_(other.slots_),
      reservation_(other.reservation_, context_), reserved_for_(other.reserved_for_),
      reservation_stale_(other.reservation_stale_) {
    if (other.candidates_)
        candidates_.emplace(*other.candidates_, *context.policy.backfill_order, context.jobs);
}

void ContiguousPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    reservation_.remove(instant.ended, slots_);
    if (reservation_.correct_estimates(now_) || !instant.ended.empty()) reservation_stale_ = true;
    for (const JobId job : instant.arrived)
        enqueue(job);
    if (queue_.size() > 1) queue_.sort_at(now_);
    start_from_the_front();
    if (others_pass_ && !queue_.empty() && slots_.free() > 0) pass_the_head();
}

void ContiguousPlanner::enqueue(JobId job) {
    queue_.insert(job);
    if (candidates_) candidates_->insert(job);
}

void ContiguousPlanner::leave(JobId job) {
    queue_.erase(job);
    if (candidates_) candidates_->erase(job);
}

// Returns the nodes that the allocation rule gives to a job among the free slots. The result is
// empty if no slot is large enough.
NodeInterval ContiguousPlanner::find(NodeCount nodes) const {
    NodeInterval slot;
    switch (context_.policy.allocation) {
    case Allocation::contiguous_best:
        slot = slots_.best_fit(nodes);
        break;
    case Allocation::contiguous_worst:
        if (slots_.largest_size() >= nodes) slot = slots_.largest();
        break;
    default:
        slot = slots_.first_fit(nodes);
    }
    return slot.empty() ? slot : NodeInterval{slot.begin, slot.begin + nodes};
}

void ContiguousPlanner::start(JobId job, NodeInterval nodes, bool past_the_head) {
    leave(job);
    slots_.allocate(nodes);
    starts_->add(job, past_the_head);
    starts_->nodes.push_back(nodes);
    starts_->close_nodes();
    reservation_.add(job, now_, {&nodes, 1});
    reservation_stale_ = true;
}

void ContiguousPlanner::start_from_the_front() {
    while (!queue_.empty()) {
        const JobId head = queue_.front();
        const NodeInterval nodes = find(context_.nodes_of(head));
        if (nodes.empty()) return;
        start(head, nodes, false);
    }
}

// Called when the head is blocked: starts the jobs that its reservation allows to pass it.
void ContiguousPlanner::pass_the_head() {
    const JobId head = queue_.front();
    if (candidates_ && candidates_->size() > 1) candidates_->sort_at(now_);
    const OrderedQueue& candidates = candidates_ ? *candidates_ : queue_;
    tried_.assign(candidates.jobs().begin(), candidates.jobs().end());
    const auto most_processors = [&] {
        return slots_.largest_size() * context_.site.torus->processors_per_node();
    };
    bool is_held = !reserves_;
    ProcCount most = most_processors(); // no slot is larger, now or later in this pass
    for (const JobId job : tried_) {
        if (context_.jobs.processors[job] > most || job == head) continue;
        if (!is_held) hold_reservation_of(head);
        is_held = true;
        if (!reserves_ || now_ + estimates().waiting(job) <= reservation_.from())
            reservation_.put_back(slots_);
        else
            reservation_.set_aside(slots_);
        const NodeInterval nodes = find(context_.nodes_of(job));
        if (nodes.empty()) continue;
        start(job, nodes, true);
        if (!reservation_.is_aside()) most = most_processors();
    }
    reservation_.put_back(slots_);
}

void ContiguousPlanner::hold_reservation_of(JobId head) {
    if (reserved_for_ == head && !reservation_stale_) return;
    reservation_.make(slots_, now_, [&] { return find(context_.nodes_of(head)); });
    reserved_for_ = head;
    reservation_stale_ = false;
}

void ContiguousPlanner::take_over(const Underway& underway) {
    reservation_.take_over(underway, slots_);
    for (const JobId job : underway.waiting)
        enqueue(job);
}

void ContiguousPlanner::cancel(JobId job) {
    leave(job);
    if (job == reserved_for_) reserved_for_ = kNoJob;
}

} // namespace slotwise
