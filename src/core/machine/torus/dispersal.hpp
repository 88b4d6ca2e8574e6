// Distances between the nodes of a set on a torus.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/torus.hpp"

#include <cstdint>
#include <span>

namespace slotwise {

// Mean torus distance over all pairs of nodes in the set; 0 for a single node. O(nodes · dimensions
// + sides).
double mean_distance(const Torus& torus, std::span<const NodeInterval> nodes);

// Largest torus distance between two nodes of the set. O(nodes · 2^dimensions) if the set lies in
// less than half of every ring. Otherwise at most O(nodes of the torus · dimensions); faster the
// more scattered the set is.
std::int32_t max_distance(const Torus& torus, std::span<const NodeInterval> nodes);

} // namespace slotwise
