#include "planner/make_scheduler.hpp"

#include "planner/pools/independent_pools.hpp"
#include "planner/pools/pools_planner.hpp"
#include "planner/torus/contiguous_planner.hpp"
#include "planner/torus/torus_allocator.hpp"
#include "site/site_check.hpp"

namespace slotwise {

namespace {

std::unique_ptr<Scheduler> make_pools_scheduler(const ReplayContext& context) {
    const bool is_changed = context.policy.order.by_hand_first;
    if (!is_changed && IndependentPools::fits(completed(context.site)))
        return std::make_unique<IndependentPools>(context, context.routing);
    return std::make_unique<PoolsPlanner>(context, context.routing);
}

} // namespace

std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context) {
    if (context.routing != nullptr) return make_pools_scheduler(context);
    const BackfillEntry& entry = backfill_registry().find(context.policy.backfill);
    if (is_contiguous(context.policy.allocation) && !entry.places_jobs)
        return std::make_unique<ContiguousPlanner>(context);
    return placed(context, entry.make(context));
}

} // namespace slotwise
