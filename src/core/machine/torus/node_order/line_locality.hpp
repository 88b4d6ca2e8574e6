// How near each other on the torus nodes lie that are near each other on a line through it.
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

    // Of the positions that lie `lag` apart, at least 1: their mean torus distance; 0 where there
    // are none.
    double mean_distance(std::int32_t lag) const;

    // Steps that go beyond a neighbour, counted by their torus distance.
    std::map<std::int32_t, std::int32_t> longer_steps() const;

  private:
    std::vector<std::int32_t> sides_;                    // of axes with more than one node
    std::vector<std::vector<std::int32_t>> coordinates_; // by such axis, then position
    std::size_t nodes_;
};

} // namespace slotwise
