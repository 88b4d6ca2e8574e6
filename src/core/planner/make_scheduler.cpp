#include "planner/make_scheduler.hpp"

#include "planner/pools/independent_pools.hpp"
#include "planner/pools/pools_planner.hpp"

namespace slotwise {

std::unique_ptr<Scheduler> make_site_scheduler(const ReplayContext& context,
                                               std::shared_ptr<const Routing> routing) {
    const bool is_changed = context.policy.order.by_hand_first;
    if (!is_changed && IndependentPools::fits(completed(context.site)))
        return std::make_unique<IndependentPools>(context, std::move(routing));
    return std::make_unique<PoolsPlanner>(context, std::move(routing));
}

} // namespace slotwise
