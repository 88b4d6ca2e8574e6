// Same as `row`, except that each row, plane and so on is traversed in the opposite direction to
// the one before it. Every step therefore leads to a neighbour. On 2 × 3, the order is (0,0) (0,1)
// (0,2) (1,2) (1,1) (1,0).
#include "machine/torus/node_order/node_order.hpp"

#include <cstddef>

namespace slotwise {

namespace {

std::vector<NodeIndex> snake(std::span<const std::int32_t> shape) {
    std::vector<NodeIndex> order{0};
    NodeIndex stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const std::size_t layer = order.size();
        const std::size_t layers = static_cast<std::size_t>(shape[axis]);
        order.reserve(layer * layers);
        for (std::size_t i = 1; i < layers; ++i)
            for (std::size_t j = 0; j < layer; ++j)
                order.push_back(order[i * layer - 1 - j] + stride);
        stride *= static_cast<NodeIndex>(layers);
    }
    return order;
}

const bool snake_registered = node_order_registry().add({
    .name = "snake",
    .doc = "Row by row; each row runs in the opposite direction to the one before.",
    .reference = "",
    .parameters = {},
    .make = &snake,
});

} // namespace

} // namespace slotwise
