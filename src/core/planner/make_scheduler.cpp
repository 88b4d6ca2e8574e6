#include "planner/make_scheduler.hpp"

#include "admission/routing.hpp"
#include "planner/dispatcher.hpp"
#include "planner/easy/priority_planner.hpp"
#include "planner/independent_pools.hpp"
#include "planner/pools/pools_planner.hpp"
#include "planner/reservation/make_node_scheduler.hpp"
#include "planner/ruled/promising_planner.hpp"
#include "planner/ruled/ruled_planner.hpp"
#include "planner/slurm/slurm_planner.hpp"
#include "planner/torus/contiguous_planner.hpp"
#include "planner/torus/torus_allocator.hpp"

#include <stdexcept>

namespace slotwise {

namespace {

// Creates the planner that calls `dispatcher`, on a machine with one pool.
std::unique_ptr<Scheduler> make_dispatched(const ReplayContext& context,
                                           const std::shared_ptr<Dispatcher>& dispatcher) {
    if (context.policy.allocation != Allocation::first)
        throw std::invalid_argument("an external dispatcher chooses nodes itself, or gets the "
                                    "first free ones; remove allocation");
    return std::make_unique<DispatchPlanner>(context, dispatcher->clone());
}

std::unique_ptr<Scheduler> make_for_pools(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher) {
    if (dispatcher != nullptr)
        return std::make_unique<PoolsPlanner>(context, context.routing, dispatcher->clone());
    if (context.site.has_nodes() ||
        (context.site.has_torus() && is_contiguous(context.policy.allocation)))
        return std::make_unique<PoolsPlanner>(context, context.routing);
    const bool is_changed = context.policy.order.by_hand_first;
    if (!is_changed && IndependentPools::fits(context.site))
        return std::make_unique<IndependentPools>(context, context.routing);
    if (RuledPlanner::fits(context)) return std::make_unique<RuledPlanner>(context);
    if (PromisingPlanner::fits(context)) return std::make_unique<PromisingPlanner>(context);
    return std::make_unique<PoolsPlanner>(context, context.routing);
}

} // namespace

std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher) {
    if (context.site.has_nodes() && context.policy.backfill == "slurm" && dispatcher == nullptr)
        return std::make_unique<SlurmPlanner>(context);
    if (context.routing != nullptr) return placed(context, make_for_pools(context, dispatcher));
    if (context.site.has_nodes()) return make_node_scheduler(context, context.site.demands);
    if (dispatcher != nullptr) return make_dispatched(context, dispatcher);
    if (PriorityPlanner::fits(context)) return std::make_unique<PriorityPlanner>(context);
    if (RuledPlanner::fits(context)) return std::make_unique<RuledPlanner>(context);
    const BackfillEntry& entry = backfill_registry().find(context.policy.backfill);
    if (is_contiguous(context.policy.allocation) && !entry.places_jobs)
        return std::make_unique<ContiguousPlanner>(context);
    return placed(context, entry.make(context));
}

} // namespace slotwise
