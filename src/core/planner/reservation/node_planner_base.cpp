#include "planner/reservation/node_planner_base.hpp"

#include <algorithm>

namespace slotwise {

NodePlannerBase::NodePlannerBase(const ReplayContext& context,
                                 std::shared_ptr<const JobDemands> jobs)
    : context_(context), node_jobs_(std::move(jobs)),
      plan_(node_jobs_->nodes, context.jobs.first_submit),
      queue_(context.policy.order, context.jobs), places_(context.jobs.size()) {}

NodePlannerBase::NodePlannerBase(const NodePlannerBase& other, const ReplayContext& context)
    : Scheduler(other), context_(context), node_jobs_(other.node_jobs_), plan_(other.plan_),
      queue_(other.queue_, context.policy.order, context.jobs), places_(other.places_) {}

Time NodePlannerBase::length(JobId job) const {
    const bool exact = context_.policy.estimates == Estimates::exact;
    const Duration length = exact ? context_.jobs.run_time[job] : context_.jobs.requested_time[job];
    return std::max<Time>(length, 1);
}

bool NodePlannerBase::finish(std::span<const JobId> ended, Time now) {
    plan_.advance(now);
    bool any = false;
    for (const JobId job : ended) {
        const Time end = context_.schedule.start[job] + length(job);
        if (end <= now) continue;
        plan_.vacate(places_.of(job), demand(job).each, now, end);
        any = true;
    }
    return any;
}

void NodePlannerBase::enqueue(std::span<const JobId> arrived) {
    for (const JobId job : arrived)
        if (node_jobs_->can_run[node_jobs_->kind_of[job]] != 0) queue_.insert(job);
}

void NodePlannerBase::start_on(JobId job, std::span<const Place> places, bool past_a_waiting_job,
                               Starts& starts) {
    places_.set(job, places);
    starts.add(job, past_a_waiting_job);
}

} // namespace slotwise
