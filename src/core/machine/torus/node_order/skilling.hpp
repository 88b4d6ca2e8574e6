// Hilbert's curve in a cube whose side is a power of two.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <cstddef>

namespace slotwise {

// `bits` is at least 1.
NodeSequence skilling_line(std::size_t dimensions, unsigned bits);

} // namespace slotwise
