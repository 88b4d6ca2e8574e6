// Hilbert's curve in a cube whose side is a power of two.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <cstddef>

namespace slotwise {

// Returns the nodes of a cube with 2^bits nodes per side, in the order of the curve. `bits` must be
// at least 1.
NodeSequence skilling_line(std::size_t dimensions, unsigned bits);

} // namespace slotwise
