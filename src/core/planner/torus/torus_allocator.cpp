#include "planner/torus/torus_allocator.hpp"

#include "machine/torus/torus.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

TorusAllocator::TorusAllocator(const ReplayContext& context, std::unique_ptr<Scheduler> planner)
    : context_(context), planner_(std::move(planner)), slots_(context.site.torus->nodes()) {
    due_ = planner_->next_due();
}

TorusAllocator::TorusAllocator(const TorusAllocator& other, const ReplayContext& context)
    : context_(context), planner_(other.planner_->clone(context)), slots_(other.slots_),
      away_(other.away_) {
    due_ = other.due_;
}

// Releases the nodes of jobs that have ended, or that the planner stops in this step.
template <class Step>
void TorusAllocator::release_around(const Instant& instant, const Starts& starts, Step&& step) {
    for (const JobId job : instant.ended)
        slots_.release(context_.schedule.placements.of(job));
    const std::size_t n_stops = starts.stops.size();
    step();
    for (std::size_t i = n_stops; i < starts.stops.size(); ++i)
        slots_.release(context_.schedule.placements.of(starts.stops[i].job));
    settle_absent();
}

void TorusAllocator::pass(const Instant& instant, Starts& starts) {
    release_around(instant, starts, [&] { planner_->pass(instant, starts); });
    for (const Starts::Start& start : starts.jobs) {
        const NodeCount nodes = context_.nodes_of(start.job);
        const bool least = context_.policy.allocation == Allocation::least_spread;
        slots_.take_first(nodes, starts.nodes, least ? slots_.least_spread(nodes) : 0);
        starts.close_nodes();
    }
    due_ = planner_->next_due();
}

void TorusAllocator::follow(const Instant& instant, Starts& starts) {
    release_around(instant, starts, [&] { planner_->follow(instant, starts); });
    due_ = planner_->next_due();
}

// Takes free nodes out of service, or returns them to service, as the calendar requires. Jobs that
// are still running when a drain begins keep their nodes, which become unavailable once the jobs
// have ended.
void TorusAllocator::settle_absent() {
    const ProcCount absent = planner_->absent();
    const NodeCount wanted = absent == 0 ? 0 : context_.site.torus->nodes_for(absent);
    NodeCount taken = 0;
    for (const NodeInterval& nodes : away_)
        taken += nodes.size();
    while (taken > wanted) {
        NodeInterval& last = away_.back();
        const NodeCount back = std::min(last.size(), taken - wanted);
        slots_.release(NodeInterval{last.begin, last.begin + back});
        last.begin += back;
        taken -= back;
        if (last.empty()) away_.pop_back();
    }
    while (taken < wanted && slots_.free() > 0) {
        NodeInterval slot = slots_.last();
        slot.begin = std::max(slot.begin, slot.end - (wanted - taken));
        slots_.allocate(slot);
        away_.push_back(slot);
        taken += slot.size();
    }
}

void TorusAllocator::reorder(JobId job, const std::function<void()>& change) {
    planner_->reorder(job, change);
    due_ = planner_->next_due();
}

void TorusAllocator::change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                                   std::span<const JobId> running) {
    planner_->change_policy(dispatcher, running);
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
