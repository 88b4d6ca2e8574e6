#include "planner/torus/torus_allocator.hpp"

#include "machine/torus/torus.hpp"

#include <utility>

namespace slotwise {

TorusAllocator::TorusAllocator(const ReplayContext& context, std::unique_ptr<Scheduler> planner)
    : context_(context), planner_(std::move(planner)), slots_(context.site.torus->nodes()) {
    due_ = planner_->next_due();
}

TorusAllocator::TorusAllocator(const TorusAllocator& other, const ReplayContext& context)
    : context_(context), planner_(other.planner_->clone(context)), slots_(other.slots_) {
    due_ = other.due_;
}

void TorusAllocator::pass(const Instant& instant, Starts& starts) {
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

void TorusAllocator::take_over(const Underway& underway) {
    for (const JobId job : underway.running)
        for (const NodeInterval& nodes : context_.schedule.placements.of(job))
            slots_.allocate(nodes);
    planner_->take_over(underway);
    due_ = planner_->next_due();
}

void TorusAllocator::hold(JobId job) {
    planner_->hold(job);
    due_ = planner_->next_due();
}

void TorusAllocator::release(JobId job) {
    planner_->release(job);
    due_ = planner_->next_due();
}

void TorusAllocator::cancel(JobId job) {
    planner_->cancel(job);
    due_ = planner_->next_due();
}

std::unique_ptr<Scheduler> placed(const ReplayContext& context,
                                  std::unique_ptr<Scheduler> planner) {
    if (!context.site.has_torus() || planner->places_jobs()) return planner;
    return std::make_unique<TorusAllocator>(context, std::move(planner));
}

} // namespace slotwise
