// Converts demands and placements between NumPy arrays and the types of the core.
#pragma once

#include "bindings.hpp"
#include "columns.hpp"
#include "machine/nodes/nodes.hpp"

#include <span>
#include <vector>

namespace slotwise::bindings {

// Returns one demand per row. Row i requests units[i] units; row i of `each` has the
// amounts that one unit requests.
std::vector<UnitDemand> demands_of(const Column<std::int64_t>& units,
                                   const Column<std::int64_t>& each);

// Returns two arrays: the node and the number of units of each place.
py::tuple arrays_of(std::span<const Place> places);

} // namespace slotwise::bindings
