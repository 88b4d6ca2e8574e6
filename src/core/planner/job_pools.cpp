// Part of JobPools: the searches that work in the same way on every kind of machine.
#include "planner/job_pools.hpp"

#include "availability/pools/pool_plan.hpp"

namespace slotwise {

Time JobPools::earliest_start(JobId job, Time length, Time from, Time until,
                              const StartTimes& starts) {
    Time start = starts.first_from(from);
    for (int i = 0; i < PoolPlan::kMostSearches && start != kNever; ++i) {
        const Time found = earliest(job, length, start, until);
        if (found == start || found == kNever || found > until) return found;
        start = starts.first_from(found);
    }
    return kNever;
}

} // namespace slotwise
