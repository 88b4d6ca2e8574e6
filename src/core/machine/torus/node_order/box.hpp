// Types and helper functions for boxes of nodes, and for sequences that visit the nodes of a box.
#pragma once

#include "machine/torus/node_order/node_order.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

inline constexpr std::size_t kMaxAxes = 6;

using Sides = std::array<std::int32_t, kMaxAxes>; // 1 for unused axes
using AxisSet = std::uint8_t;                     // one bit per axis
// The nodes of a box, in the order in which they are visited.
using NodeSequence = std::vector<NodeIndex>;

inline bool has_axis(AxisSet axes, std::size_t axis) {
    return (axes >> axis & 1) != 0;
}

inline AxisSet only_axis(std::size_t axis) {
    return static_cast<AxisSet>(1U << axis);
}

inline std::size_t count_nodes(const Sides& sides) {
    std::size_t nodes = 1;
    for (const std::int32_t side : sides)
        nodes *= static_cast<std::size_t>(side);
    return nodes;
}

inline Sides sides_of(std::span<const std::int32_t> shape) {
    Sides sides;
    sides.fill(1);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        sides[axis] = shape[axis];
    return sides;
}

// Returns the difference in NodeIndex between neighbours along each axis.
inline std::array<std::int64_t, kMaxAxes> strides_of(std::span<const std::int32_t> shape) {
    std::array<std::int64_t, kMaxAxes> strides{};
    std::int64_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= shape[axis];
    }
    return strides;
}

// Returns true if the colours of the nodes allow a path from a corner of the box to the corner that
// differs from it along the axes `across`. The path visits every node once, in steps between
// neighbours. If nodes are coloured like a chessboard, each step changes the colour. The two ends
// must therefore have different colours in a box with an even number of nodes, and the same colour
// in a box with an odd number.
inline bool colours_allow(const Sides& sides, AxisSet across) {
    std::int64_t apart = 0;
    for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
        if (has_axis(across, axis)) apart += sides[axis] - 1;
    return (count_nodes(sides) + static_cast<std::size_t>(apart)) % 2 == 1;
}

} // namespace slotwise
