// Node orders: the sequences in which the nodes of a torus can be numbered.
#pragma once

#include "registry.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// The index of a node in a box. It is computed from the coordinates in the same way as an array
// index; the last axis varies fastest.
using NodeIndex = std::uint32_t;

// Lists every node of a box exactly once, in order. Each side must be at least 1, and every node
// index must fit in a NodeIndex.
using NodeOrder = std::vector<NodeIndex> (*)(std::span<const std::int32_t> shape);
using NodeOrderEntry = RegistryEntry<NodeOrder>;

Registry<NodeOrder>& node_order_registry();

} // namespace slotwise
