// Places a job on nodes that a dispatcher has named.
//
// Example: nodes 3 and 5 have 4 cores each, of which 3 and 4 are free, respectively. A job of 5
// units of one core is given nodes 3 and 5. It gets one unit on each node, and the remaining units
// fill node 3 first: in total, 3 units on node 3 and 2 on node 5. A list with one node for each
// unit, such as {3, 3, 5, 5, 5}, states how many units each node gets.
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

// A job to be placed now. `length` is its planned length, which may be 0. `numbers` are node
// numbers of the machine. `queue_nodes` are the nodes of the job's queue; if empty, the queue may
// use all nodes.
struct NamedJob {
    const JobShape& shape;
    const std::vector<std::int32_t>& queue_nodes;
    std::span<const std::int32_t> numbers;
    Time length;
};

// Returns an empty string if the job can start on the named nodes. `places` then contains its
// places, sorted by node. Otherwise returns a message that states the reason and a remedy.
std::string place_on_named(NodeState& state, const NamedJob& job, std::vector<Place>& places);

} // namespace slotwise
