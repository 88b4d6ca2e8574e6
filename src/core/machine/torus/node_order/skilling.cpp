// J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707, 2004, pp. 381-387.
//
// A position along the curve is converted to coordinates in place. First, the bits of the position
// are distributed over the axes, beginning with the highest bit. Then, a Gray code over all bits is
// undone. Finally, for each plane of bits, from the lowest to the highest, each axis either inverts
// the first axis's bits below that plane or swaps them with its own.
//
// Example with two axes of one bit each: position 2 is 10 in binary, so its bits are distributed as
// (1, 0). Undoing the Gray code gives (1, 1).
#include "machine/torus/node_order/skilling.hpp"

#include <array>
#include <cstdint>

namespace slotwise {

namespace {

using Coordinates = std::array<std::uint32_t, kMaxAxes>;

Coordinates dealt(std::uint32_t position, std::size_t dimensions, unsigned bits) {
    Coordinates x{};
    for (unsigned bit = 0; bit < bits; ++bit)
        for (std::size_t axis = 0; axis < dimensions; ++axis) {
            const auto from = static_cast<unsigned>(dimensions * (bit + 1) - 1 - axis);
            x[axis] |= (position >> from & 1U) << bit;
        }
    return x;
}

void undo_gray_code(Coordinates& x, std::size_t dimensions) {
    const std::uint32_t carried = x[dimensions - 1] >> 1;
    for (std::size_t axis = dimensions - 1; axis > 0; --axis)
        x[axis] ^= x[axis - 1];
    x[0] ^= carried;
}

void undo_turns(Coordinates& x, std::size_t dimensions, unsigned bits) {
    for (unsigned plane = 1; plane < bits; ++plane) {
        const std::uint32_t below = (1U << plane) - 1;
        for (std::size_t axis = dimensions; axis-- > 0;) {
            if ((x[axis] >> plane & 1U) != 0) {
                x[0] ^= below;
            } else {
                const std::uint32_t swapped = (x[0] ^ x[axis]) & below;
                x[0] ^= swapped;
                x[axis] ^= swapped;
            }
        }
    }
}

} // namespace

NodeSequence skilling_line(std::size_t dimensions, unsigned bits) {
    NodeSequence sequence(std::size_t{1} << dimensions * bits);
    for (std::size_t position = 0; position < sequence.size(); ++position) {
        Coordinates x = dealt(static_cast<std::uint32_t>(position), dimensions, bits);
        undo_gray_code(x, dimensions);
        undo_turns(x, dimensions, bits);
        NodeIndex node = 0;
        for (std::size_t axis = 0; axis < dimensions; ++axis)
            node = node << bits | x[axis];
        sequence[position] = node;
    }
    return sequence;
}

} // namespace slotwise
