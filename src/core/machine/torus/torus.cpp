#include "machine/torus/torus.hpp"

#include "machine/torus/node_order/node_order.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace slotwise {

namespace {

std::string written(const std::vector<std::int32_t>& shape) {
    std::string text;
    for (const std::int32_t side : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(side);
    return text;
}

void check(const std::vector<std::int32_t>& shape, ProcCount processors_per_node) {
    if (shape.empty() || shape.size() > Torus::kMaxDimensions)
        throw std::invalid_argument("the torus has " + std::to_string(shape.size()) +
                                    " axes; it must have 1 to 6");
    std::int64_t nodes = 1;
    for (const std::int32_t side : shape) {
        if (side < 1)
            throw std::invalid_argument("torus " + written(shape) +
                                        ": every axis must have at least 1 node");
        nodes = std::min<std::int64_t>(nodes * side, std::numeric_limits<std::int32_t>::max());
    }
    if (nodes > Torus::kMaxNodes)
        throw std::invalid_argument("torus " + written(shape) + ": at most " +
                                    std::to_string(Torus::kMaxNodes) + " nodes are allowed");
    if (processors_per_node < 1 ||
        nodes * processors_per_node > std::numeric_limits<ProcCount>::max())
        throw std::invalid_argument("torus " + written(shape) + ": " +
                                    std::to_string(processors_per_node) +
                                    " processors per node; there must be at least 1 per node, and "
                                    "fewer than 2^31 in total");
}

} // namespace

Torus::Torus(std::vector<std::int32_t> shape, std::string order, ProcCount processors_per_node)
    : shape_(std::move(shape)), order_(std::move(order)),
      processors_per_node_(processors_per_node) {
    check(shape_, processors_per_node_);
    const std::vector<NodeIndex> sequence = node_order_registry().find(order_).make(shape_);
    positions_.resize(sequence.size());
    coordinates_.resize(sequence.size() * dimensions());
    for (std::size_t at = 0; at < sequence.size(); ++at) {
        positions_[sequence[at]] = static_cast<std::int32_t>(at);
        NodeIndex rest = sequence[at];
        for (std::size_t axis = dimensions(); axis-- > 0;) {
            const NodeIndex side = static_cast<NodeIndex>(shape_[axis]);
            coordinates_[at * dimensions() + axis] = static_cast<std::int32_t>(rest % side);
            rest /= side;
        }
    }
}

std::int32_t Torus::position(std::span<const std::int32_t> coordinates) const {
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < dimensions(); ++axis)
        index = index * static_cast<std::size_t>(shape_[axis]) +
                static_cast<std::size_t>(coordinates[axis]);
    return positions_[index];
}

std::int32_t Torus::distance(std::int32_t a, std::int32_t b) const {
    const std::span<const std::int32_t> from = coordinates(a);
    const std::span<const std::int32_t> to = coordinates(b);
    std::int32_t links = 0;
    for (std::size_t axis = 0; axis < dimensions(); ++axis) {
        const std::int32_t apart = std::abs(from[axis] - to[axis]);
        links += std::min(apart, shape_[axis] - apart);
    }
    return links;
}

} // namespace slotwise
