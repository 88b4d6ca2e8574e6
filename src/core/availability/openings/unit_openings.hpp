// Room for the only unit of a job, tested by groups of equal nodes.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

// True if a unit fits on a node of the group throughout [from, to), regardless of count
// reservations.
bool holds_unit(const NodeState& state, const JobShape& shape, std::size_t group, Time from,
                Time to);

// Room of the groups for a unit from now until `to`; `reserved`: some only without the count
// reservations. Reads only groups with enough free cores, and their limits are computed once for
// all jobs.
enum class ForUnit : std::uint8_t { no_room, reserved, room };
ForUnit opening_for_unit(NodeState& state, const JobShape& shape, Time to);

// Nodes of a class that are idle throughout [from, to).
std::int32_t idle_throughout(const NodeState& state, std::size_t node_class, Time from, Time to);

} // namespace slotwise
