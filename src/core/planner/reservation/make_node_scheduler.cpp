#include "planner/reservation/make_node_scheduler.hpp"

#include "planner/easy/nodes/node_easy_planner.hpp"
#include "planner/reservation/depth_planner.hpp"
#include "planner/reservation/node_conservative_planner.hpp"

#include <utility>

namespace slotwise {

std::unique_ptr<Scheduler> make_node_scheduler(const ReplayContext& context,
                                               std::shared_ptr<const JobDemands> jobs) {
    if (NodeEasyPlanner::fits(context))
        return std::make_unique<NodeEasyPlanner>(context, std::move(jobs));
    const PlanRule rule = plan_of(context.policy);
    if (rule.promises) return std::make_unique<NodeConservativePlanner>(context, std::move(jobs));
    return std::make_unique<DepthPlanner<NodeJobPlan>>(
        context, DepthRule{.depth = rule.reservations, .others_pass = !rule.closes},
        NodeJobPlan(context, std::move(jobs)));
}

} // namespace slotwise
