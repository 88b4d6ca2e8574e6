// Conversion of demands and placements between NumPy and the core.
#pragma once

#include "bindings.hpp"
#include "columns.hpp"
#include "machine/nodes/nodes.hpp"

#include <span>
#include <vector>

namespace slotwise::bindings {

// Row i requests units[i] units of each[i].
std::vector<UnitDemand> demands_of(const Column<std::int64_t>& units,
                                   const Column<std::int64_t>& each);

// Node and units of every row.
py::tuple arrays_of(std::span<const Place> places);

} // namespace slotwise::bindings
