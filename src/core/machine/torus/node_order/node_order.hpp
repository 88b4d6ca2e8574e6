// Node orders: the line along which a torus numbers its nodes.
#pragma once

#include "registry.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// Index of a node in a box: its coordinates read as one number, in which the last axis varies
// fastest.
using NodeIndex = std::uint32_t;

// Lists every node of a box once, in order. Each side is at least 1, and nodes fit in a NodeIndex.
using NodeOrder = std::vector<NodeIndex> (*)(std::span<const std::int32_t> shape);
using NodeOrderEntry = RegistryEntry<NodeOrder>;

Registry<NodeOrder>& node_order_registry();

} // namespace slotwise
