// Places of a job on nodes named by a dispatcher.
//
// Example: nodes 3 and 5 of 4 cores have 3 and 4 cores free. A job of 5 units of one core, given
// nodes 3 and 5, puts one unit on each node and fills node 3 first with the others: 3 units there,
// 2 on node 5.
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

// A job to place now for a planned length, which may be 0; `numbers` are those of the machine, and
// `queue_nodes` those of its queue (all nodes if empty).
struct NamedJob {
    const JobShape& shape;
    const std::vector<std::int32_t>& queue_nodes;
    std::span<const std::int32_t> numbers;
    Time length;
};

// Returns the reason why the job cannot start there, naming the node and the remedy. If it is
// empty, `places` has the job's places by ascending node.
std::string place_on_named(NodeState& state, const NamedJob& job, std::vector<Place>& places);

} // namespace slotwise
