// How far the nodes of a set lie apart on a torus.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/torus.hpp"

#include <cstdint>
#include <span>

namespace slotwise {

// The mean torus distance over all pairs of two nodes of the set; 0 for a single node.
// O(nodes · dimensions + sides).
double mean_distance(const Torus& torus, std::span<const NodeInterval> nodes);

// The largest torus distance between two nodes of the set. O(nodes · 2^dimensions) where the set
// lies in less than half of every ring, else at most O(nodes of the torus · dimensions), less the
// more it is scattered.
std::int32_t max_distance(const Torus& torus, std::span<const NodeInterval> nodes);

} // namespace slotwise
