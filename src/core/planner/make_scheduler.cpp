#include "planner/make_scheduler.hpp"

#include "admission/routing.hpp"
#include "guard.hpp"
#include "planner/dispatcher.hpp"
#include "planner/easy/nodes/node_easy_planner.hpp"
#include "planner/easy/priority_planner.hpp"
#include "planner/independent_pools.hpp"
#include "planner/pools/pools_planner.hpp"
#include "planner/reservation/depth_planner.hpp"
#include "planner/reservation/node_conservative_planner.hpp"
#include "planner/ruled/promising_planner.hpp"
#include "planner/ruled/ruled_planner.hpp"
#include "planner/torus/torus_allocator.hpp"

#include <utility>

namespace slotwise {

namespace {

// Creates the planner that calls `dispatcher`, on a machine with one pool.
std::unique_ptr<Scheduler> make_dispatched(const ReplayContext& context,
                                           const std::shared_ptr<Dispatcher>& dispatcher) {
    guard(context.policy.allocation == Allocation::first,
          "allocation must be 'first' with a dispatcher");
    return std::make_unique<DispatchPlanner>(context, dispatcher->clone());
}

std::unique_ptr<Scheduler> make_for_pools(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher) {
    if (dispatcher != nullptr)
        return std::make_unique<PoolsPlanner>(context, context.routing, dispatcher->clone());
    if (context.site.has_nodes() ||
        (context.site.has_torus() && is_contiguous(context.policy.allocation)))
        return std::make_unique<PoolsPlanner>(context, context.routing);
    const bool is_changed = context.policy.order.manual_first;
    if (!is_changed && IndependentPools::fits(context.site))
        return std::make_unique<IndependentPools>(context, context.routing);
    if (RuledPlanner::fits(context)) return std::make_unique<RuledPlanner>(context);
    if (PromisingPlanner::fits(context)) return std::make_unique<PromisingPlanner>(context);
    return std::make_unique<PoolsPlanner>(context, context.routing);
}

// Creates a planner for a machine without pools that makes its reservations on `plan`.
template <Plan P> std::unique_ptr<Scheduler> make_on(const ReplayContext& context, P plan) {
    const PlanRule rule = plan_of(context.policy);
    const DepthRule depth{.depth = rule.reservations, .others_pass = !rule.closes};
    return std::make_unique<DepthPlanner<P>>(context, depth, std::move(plan));
}

std::unique_ptr<Scheduler> make_for_nodes(const ReplayContext& context) {
    const std::shared_ptr<const JobDemands> demands = context.site.demands;
    if (NodeEasyPlanner::fits(context)) return std::make_unique<NodeEasyPlanner>(context, demands);
    if (plan_of(context.policy).promises)
        return std::make_unique<NodeConservativePlanner>(context, demands);
    return make_on(context, NodeJobPlan(context, demands));
}

} // namespace

std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher) {
    const BackfillEntry& entry = backfill_registry().find(context.policy.backfill);
    if (entry.make_on_nodes != nullptr && dispatcher == nullptr)
        return entry.make_on_nodes(context);
    if (context.routing != nullptr) return placed(context, make_for_pools(context, dispatcher));
    if (context.site.has_nodes()) return make_for_nodes(context);
    if (dispatcher != nullptr) return make_dispatched(context, dispatcher);
    if (PriorityPlanner::fits(context)) return std::make_unique<PriorityPlanner>(context);
    if (RuledPlanner::fits(context)) return std::make_unique<RuledPlanner>(context);
    if (is_contiguous(context.policy.allocation) && !entry.places_jobs)
        return make_on(context, IntervalJobPlan(context));
    return placed(context, entry.make(context));
}

} // namespace slotwise
