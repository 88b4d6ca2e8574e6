// Room in the pools of a site, asked by job: of processors by number, of nodes by demand.
#pragma once

#include "availability/pool_plan.hpp"
#include "availability/start_times.hpp"
#include "planner/node_pools.hpp"
#include "planner/pools/pools_context.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

// `nodes` is null on a machine of processors. On nodes the job that starts next takes the places
// found last.
class PoolRoom {
  public:
    PoolRoom(const PoolsContext& context, std::vector<PoolPlan>& plans, NodePools* nodes)
        : context_(context), plans_(plans), nodes_(nodes) {}

    bool fits_now(PoolId pool, JobId job, Time length) {
        if (nodes_) return nodes_->fits_now(job, length);
        return plans_[pool].fits_now(length, processors(job));
    }

    bool is_full(PoolId pool) const {
        return nodes_ ? nodes_->free_cores(pool) == 0 : plans_[pool].free() == 0;
    }

    // No job outside of them fits.
    BackfillBounds bounds(PoolId pool) const {
        if (!nodes_) return plans_[pool].bounds();
        if (nodes_->free_cores(pool) == 0) return {0, 0, 0};
        return PoolQueue::any(plans_[pool].processors());
    }

    bool reserve(PoolId pool, JobId job, Time length) {
        if (nodes_) return nodes_->reserve(pool, job, length);
        return plans_[pool].reserve(length, processors(job));
    }

    void reserve_at(PoolId pool, JobId job, Time from, Time length) {
        if (nodes_) return nodes_->reserve_at(pool, job, from, length);
        plans_[pool].reserve_at(from, length, processors(job));
    }

    void drop_reservations(PoolId pool) {
        if (nodes_) return nodes_->drop_reservations(pool);
        plans_[pool].drop_reservations();
    }

    Time earliest(PoolId pool, JobId job, Time length, Time from) {
        if (nodes_) return nodes_->earliest(job, length, from);
        return plans_[pool].earliest(length, processors(job), from);
    }

    Time earliest_start(PoolId pool, JobId job, Time length, const StartTimes& starts) {
        if (nodes_) return nodes_->earliest_start(job, length, context_.now, starts);
        return plans_[pool].earliest_start(length, processors(job), context_.now, starts);
    }

  private:
    ProcCount processors(JobId job) const { return context_.jobs.processors[job]; }

    const PoolsContext& context_;
    std::vector<PoolPlan>& plans_;
    NodePools* nodes_;
};

} // namespace slotwise
