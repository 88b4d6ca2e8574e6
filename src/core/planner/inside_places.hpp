// Finds the places of a job inside an open reservation of its owner, on a machine with nodes.
//
// Example: nodes 0 and 1, with 4 cores each, are reserved for user 7 until 200, and node 1 has a
// drain that begins at 150. At 100, a job of user 7 on one node for 80 s gets node 0. If the
// reservation is instead for any two nodes, the job gets any idle node except node 1.
#pragma once

#include "availability/node_reservations.hpp"
#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct KeptNodes {
    std::span<const std::int32_t> named; // ascending
    Time until;
};

// Finds places on nodes in kept.named that are free for `length` according to the plan. The job may
// not use any other reservation. All windows that begin before the job's end must already be in the
// plan.
bool place_on_kept(const JobShape& shape, const KeptNodes& kept, Time length, NodeState& state,
                   std::vector<Place>& places);

// Finds places on nodes that are idle now. Takes at most `left` nodes from each class.
bool place_by_number(const JobShape& shape, NodeReservations::Numbers left, const NodeState& state,
                     std::vector<Place>& places);

} // namespace slotwise
