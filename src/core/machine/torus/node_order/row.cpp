// Nodes are numbered row by row: the last axis varies fastest.
#include "machine/torus/node_order/node_order.hpp"

#include <numeric>

namespace slotwise {

namespace {

std::vector<NodeIndex> row(std::span<const std::int32_t> shape) {
    NodeIndex nodes = 1;
    for (const std::int32_t side : shape)
        nodes *= static_cast<NodeIndex>(side);
    std::vector<NodeIndex> order(nodes);
    std::iota(order.begin(), order.end(), NodeIndex{0});
    return order;
}

const bool row_registered = node_order_registry().add({
    .name = "row",
    .doc = "Row by row; the last axis varies fastest.",
    .reference = "",
    .parameters = {},
    .make = &row,
});

} // namespace

} // namespace slotwise
