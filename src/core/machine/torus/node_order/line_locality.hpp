// Torus distances between nodes that are close together on a line through the torus.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace slotwise {

class LineLocality {
  public:
    LineLocality(std::span<const std::int32_t> shape, std::span<const NodeIndex> line);

    // Mean torus distance between positions that are `lag` >= 1 apart; 0 if there are none.
    double mean_distance(std::int32_t lag) const;

    // Steps to nodes that are not neighbours, counted by torus distance.
    std::map<std::int32_t, std::int32_t> longer_steps() const;

  private:
    std::vector<std::int32_t> sides_; // sides of the axes with more than one node
    std::vector<std::vector<std::int32_t>>
        coordinates_; // ordered by axis (those with more than one node), then position
    std::size_t nodes_;
};

} // namespace slotwise
