// The reservations of all pools on a machine with nodes. They are part of the plan.
//
// If a pass drops the only reservation of a pool, the reservation lingers: it remains in the plan
// until nodes of the pool are searched. If it is made again before then, the plan does not change.
//
// Example: node 1 is reserved for the head from 100 onwards. A job ends on node 5, which the head
// cannot use. The next pass drops the reservation and makes it again, because the head still cannot
// start before 100. The plan does not change.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "planner/held_nodes.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Adds a reservation to the plan (sign 1), or removes it (sign −1).
void plan_held(const HeldNodes::Held& held, int sign, NodeState& state);

class ReservedNodes {
  public:
    // `pool_of_class` must have one element per node class.
    ReservedNodes(const JobShapes& shapes, std::span<const PoolId> pool_of_class,
                  std::size_t n_pools);

    HeldNodes& operator[](PoolId pool) { return of_[pool]; }
    const HeldNodes& operator[](PoolId pool) const { return of_[pool]; }

    // pool_of() returns the pool whose queues may use the nodes of the shape. in_pool_of() returns
    // the reservations of this pool.
    PoolId pool_of(std::uint32_t shape) const { return pool_of_shape_[shape]; }
    const HeldNodes& in_pool_of(std::uint32_t shape) const { return of_[pool_of(shape)]; }

    // Removes the lingering reservations of a pool, or of all pools, from the plan.
    void settle(PoolId pool, NodeState& state);
    void settle(NodeState& state) {
        for (PoolId pool = 0; pool < of_.size(); ++pool)
            settle(pool, state);
    }

    // Returns the shape of the job. First removes the lingering reservations of its pool, so that a
    // search does not see them.
    const JobShape& settled_shape_of(JobId job, NodeState& state) {
        settle(pool_of(state.shapes().number_of(job)), state);
        return state.shapes().of(job);
    }

    // Tries to make the reservation of the last pass again, without a search. Returns false if a
    // search might now find another start or other nodes.
    bool repeat(PoolId pool, JobId job, Time length, NodeState& state);

    // Drops the reservations of the pool. If there is only one, it lingers from now on.
    void drop(PoolId pool, NodeState& state);

    bool all_begin_after(Time now) const;

    // Returns the earliest start, at or after `time`, of a reservation of the pool, or kNever if
    // there is none.
    Time first_beginning_from(PoolId pool, Time time) const;

  private:
    std::vector<HeldNodes> of_; // indexed by pool
    std::vector<PoolId> pool_of_shape_;
};

} // namespace slotwise
