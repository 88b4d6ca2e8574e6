// Places of a job on nodes named by a dispatcher.
//
// Example: nodes 3 and 5 of 4 cores have 3 and 4 cores free. A job of 5 units of one core, given
// nodes 3 and 5, gets one unit on each node; the others fill node 3 first: 3 units there, 2 on node
// 5. A list with a node for every unit, {3, 3, 5, 5, 5}, names the units of each node.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// A job to place now for a planned length, which may be 0. `numbers` are machine node numbers, and
// `queue_nodes` are the nodes of its queue (all nodes if empty).
struct NamedJob {
    const JobShape& shape;
    const std::vector<std::int32_t>& queue_nodes;
    std::span<const std::int32_t> numbers;
    Time length;
};

// Returns the reason why the job cannot start there, naming the node and the remedy. If the reason
// is empty, `places` has the job's places by ascending node.
std::string place_on_named(NodeState& state, const NamedJob& job, std::vector<Place>& places);

} // namespace slotwise
