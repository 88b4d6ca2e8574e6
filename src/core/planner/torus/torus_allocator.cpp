#include "planner/torus/torus_allocator.hpp"

#include "machine/torus/torus.hpp"

#include <utility>

namespace slotwise {

NodeAllocator::NodeAllocator(const ReplayContext& context, std::unique_ptr<Scheduler> planner)
    : context_(context), planner_(std::move(planner)), slots_(context.site.torus->nodes()) {
    due_ = planner_->next_due();
}

NodeAllocator::NodeAllocator(const NodeAllocator& other, const ReplayContext& context)
    : context_(context), planner_(other.planner_->clone(context)), slots_(other.slots_) {
    due_ = other.due_;
}

void NodeAllocator::pass(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended)
        slots_.release(context_.schedule.placements.of(job));
    planner_->pass(instant, starts);
    for (const Starts::Start& start : starts.jobs) {
        const NodeCount nodes = context_.nodes_of(start.job);
        const bool least = context_.policy.allocation == Allocation::least_spread;
        slots_.take_first(nodes, starts.nodes, least ? slots_.least_spread(nodes) : 0);
        starts.close_nodes();
    }
    due_ = planner_->next_due();
}

void NodeAllocator::take_over(const Underway& underway) {
    for (const JobId job : underway.running)
        for (const NodeInterval& nodes : context_.schedule.placements.of(job))
            slots_.allocate(nodes);
    planner_->take_over(underway);
    due_ = planner_->next_due();
}

void NodeAllocator::hold(JobId job) {
    planner_->hold(job);
    due_ = planner_->next_due();
}

void NodeAllocator::release(JobId job) {
    planner_->release(job);
    due_ = planner_->next_due();
}

void NodeAllocator::cancel(JobId job) {
    planner_->cancel(job);
    due_ = planner_->next_due();
}

std::unique_ptr<Scheduler> placed(const ReplayContext& context,
                                  std::unique_ptr<Scheduler> planner) {
    if (!context.site.has_torus() || planner->places_jobs()) return planner;
    return std::make_unique<NodeAllocator>(context, std::move(planner));
}

} // namespace slotwise
