// A machine whose nodes form a box in which every axis is a ring.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// The nodes are numbered from 0 to nodes() - 1 along the node order, so the number of a node is its
// position in that order.
class Torus {
  public:
    static constexpr std::size_t kMaxDimensions = 6;
    static constexpr std::int32_t kMaxNodes = 1 << 22;

    // Throws std::invalid_argument unless the shape has 1 to 6 sides, each at least 1, and at most
    // kMaxNodes nodes. Also throws if the order is unknown, or if there are more processors than a
    // ProcCount can hold.
    Torus(std::vector<std::int32_t> shape, std::string order, ProcCount processors_per_node);

    const std::vector<std::int32_t>& shape() const { return shape_; }
    const std::string& order() const { return order_; }
    std::size_t dimensions() const { return shape_.size(); }
    ProcCount processors_per_node() const { return processors_per_node_; }
    std::int32_t nodes() const { return static_cast<std::int32_t>(positions_.size()); }
    ProcCount processors() const { return nodes() * processors_per_node_; }

    // Returns the number of nodes that a job on `processors` processors occupies. Jobs occupy whole
    // nodes.
    std::int32_t nodes_for(ProcCount processors) const {
        return processors_per_node_ == 1 ? processors : (processors - 1) / processors_per_node_ + 1;
    }

    // Returns the coordinates of a position, one per axis.
    std::span<const std::int32_t> coordinates(std::int32_t position) const {
        return {coordinates_.data() + static_cast<std::size_t>(position) * dimensions(),
                dimensions()};
    }

    // Returns the position of the node with these coordinates, which must be inside the box.
    std::int32_t position(std::span<const std::int32_t> coordinates) const;

    // Returns the number of links on a shortest path between two positions: the sum, over the axes,
    // of the length of the shorter way around the ring.
    std::int32_t distance(std::int32_t a, std::int32_t b) const;

  private:
    std::vector<std::int32_t> shape_;
    std::string order_;
    ProcCount processors_per_node_;
    std::vector<std::int32_t> coordinates_; // ordered by position, then axis
    std::vector<std::int32_t> positions_;   // one per node index
};

} // namespace slotwise
