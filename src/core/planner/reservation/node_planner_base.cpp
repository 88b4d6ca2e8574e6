#include "planner/reservation/node_planner_base.hpp"

#include "planner/reservation/depth_planner.hpp"
#include "planner/reservation/node_conservative_planner.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

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

namespace {

void refuse(bool set, const std::string& what, const std::string& remedy) {
    if (set)
        throw std::invalid_argument(what + " is not for nodes with several resources: choose " +
                                    remedy);
}

void check_for_nodes(const Policy& policy) {
    refuse(policy.estimates == Estimates::user_history, "estimates='user-history'",
           "'requested' or 'exact'");
    refuse(policy.waiting_estimates != policy.estimates, "waiting_estimates", "estimates alone");
    refuse(!policy.kill_at_limit && policy.estimates != Estimates::exact, "kill_at_limit=False",
           "kill_at_limit=True, or estimates='exact'");
    refuse(policy.strict_end, "strict_end", "strict_end=False");
    refuse(!policy.spare_processors, "spare_processors=False", "spare_processors=True");
    refuse(policy.frozen_reservation, "frozen_reservation", "frozen_reservation=False");
    refuse(policy.ending_now_is_free, "ending_now='free'", "ending_now='busy'");
    refuse(policy.backfill_order.has_value(), "backfill_order", "one order for all jobs");
    refuse(policy.compress_at_every_end, "compression='every-end'", "the default");
    refuse(policy.allocation != Allocation::first, "an allocation other than 'first'",
           "the placement of the nodes");
    refuse(policy.promise_per_arrival, "promises='per-arrival'", "the default");
}

} // namespace

NodeScheduler make_node_scheduler(const ReplayContext& context,
                                  std::shared_ptr<const JobDemands> jobs) {
    const Policy& policy = context.policy;
    check_for_nodes(policy);
    const BackfillEntry& entry = backfill_registry().find(policy.backfill);
    if (!entry.works_on.nodes)
        throw std::invalid_argument("backfill '" + policy.backfill +
                                    "' is not for nodes with several resources: choose " +
                                    backfills_that_work(&WorksOn::nodes));
    const PlanRule rule = entry.plan(policy, 1);
    if (rule.promises) {
        auto planner = std::make_unique<NodeConservativePlanner>(context, std::move(jobs));
        const JobPlaces& places = planner->places();
        return {std::move(planner), &places};
    }
    auto planner = std::make_unique<DepthPlanner<NodeJobPlan>>(
        context, DepthRule{.depth = rule.reservations, .others_pass = !rule.closes},
        NodeJobPlan(context, std::move(jobs)));
    const JobPlaces& places = planner->plan().places();
    return {std::move(planner), &places};
}

} // namespace slotwise
