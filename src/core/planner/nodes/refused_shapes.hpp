// A view of the job shapes that are refused. Jobs of these shapes are known not to fit on the nodes
// now, so no nodes are searched for them.
//
// Example: a shape was refused for 100 s. A job of the shape that requests 200 s is refused too;
// one that requests 50 s is tried.
#pragma once

#include "availability/node_state.hpp"
#include "planner/node_refusals.hpp"
#include "planner/nodes/reserved_nodes.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>

namespace slotwise {

class RefusedShapes {
  public:
    RefusedShapes(const NodeState& state, const ReservedNodes& reserved, NodeRefusals& refusals)
        : state_(state), reserved_(reserved), refusals_(refusals) {}

    // Returns true if every reservation begins after the current instant.
    bool all_reserved_later() const { return reserved_.all_begin_after(state_.now()); }

    // Returns true if it is known that the job cannot start now and run for `length`.
    bool is_refused(JobId job, Time length) {
        const std::uint32_t shape = state_.shapes().number_of(job);
        const HeldNodes& held = reserved_.in_pool_of(shape);
        if (!refusals_.is_refused(shape, state_.shapes()[shape], length, state_, held))
            return false;
        refusals_.follow(state_);
        if (refusals_.is_noted_under(pool_of(shape), held.present())) refusals_.note_known(shape);
        return true;
    }

    // Returns the smallest length for which jobs of the shape are refused, or kNever if there is
    // none.
    Time from(std::uint32_t shape) {
        const Time found = refusals_.refused_from(shape, state_.shapes()[shape], state_,
                                                  reserved_.in_pool_of(shape));
        if (found != kNever) refusals_.note_known(shape);
        return found;
    }

    // Returns the results of from() that are known for this pool, indexed by shape. They are valid
    // until a reservation of the pool is made or dropped.
    std::span<const Time> known_from(PoolId pool) {
        refusals_.follow(state_);
        refusals_.follow(pool, reserved_[pool].present());
        return refusals_.known_from();
    }

    PoolId pool_of(std::uint32_t shape) const { return reserved_.pool_of(shape); }

    // Returns the number of changes so far that may have made room for a refused shape.
    std::uint64_t n_eased() const { return state_.changes().eased(); }

  private:
    const NodeState& state_;
    const ReservedNodes& reserved_;
    NodeRefusals& refusals_;
};

} // namespace slotwise
