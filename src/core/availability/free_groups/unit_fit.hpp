// Tests whether a job of one unit fits, by examining whole groups of identical nodes.
#pragma once

#include "availability/node_state.hpp"
#include "machine/nodes/job_shapes.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

// Returns true if a unit fits on a node of the group throughout [from, to), regardless of count
// reservations.
bool holds_unit(const NodeState& state, const JobShape& shape, std::size_t group, Time from,
                Time to);

// Determines whether some group of nodes has room for the job's unit from now until `to`. The
// result is `reserved` if a group has room only when count reservations are ignored. Only groups
// with enough free cores are examined. FreeGroup::kept_from is computed once per group, for all
// jobs.
enum class UnitFit : std::uint8_t { no_room, reserved, room };
UnitFit unit_fit(NodeState& state, const JobShape& shape, Time to);

// Returns the number of nodes in a class that are idle throughout [from, to).
std::int32_t idle_throughout(const NodeState& state, std::size_t node_class, Time from, Time to);

} // namespace slotwise
