// Torus distances between nodes that are close together in a sequence of the nodes.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace slotwise {

class SequenceLocality {
  public:
    SequenceLocality(std::span<const std::int32_t> shape, std::span<const NodeIndex> sequence);

    // Returns the mean torus distance between nodes that are `lag` >= 1 positions apart in the
    // sequence, or 0 if there are no such nodes.
    double mean_distance(std::int32_t lag) const;

    // Counts, for each torus distance above 1, the steps of the sequence that cover this distance.
    std::map<std::int32_t, std::int32_t> longer_steps() const;

  private:
    std::vector<std::int32_t> sides_; // sides of the axes with more than one node
    std::vector<std::vector<std::int32_t>> coordinates_; // coordinates by axis, then by position
    std::size_t nodes_;
};

} // namespace slotwise
