// Distances between the nodes of a set on a torus.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/torus.hpp"

#include <cstdint>
#include <span>

namespace slotwise {

// Returns the mean torus distance over all pairs of nodes in the set, or 0 for a single node. Takes
// O(nodes · dimensions + sum of the sides) time.
double mean_distance(const Torus& torus, std::span<const NodeInterval> nodes);

// Returns the largest torus distance between two nodes of the set. Takes O(nodes · 2^dimensions)
// time if the set lies within one half of every ring. Otherwise, takes at most O(nodes of the torus
// · dimensions); the more scattered the set is, the less time it takes.
std::int32_t max_distance(const Torus& torus, std::span<const NodeInterval> nodes);

} // namespace slotwise
