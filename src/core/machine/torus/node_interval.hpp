// A range of consecutive nodes in the node order of a torus.
#pragma once

#include <cstdint>

namespace slotwise {

using NodeCount = std::int32_t;

// The positions begin, begin + 1, …, end - 1 in the node order, which numbers the nodes from 0.
struct NodeInterval {
    std::int32_t begin = 0;
    std::int32_t end = 0;

    NodeCount size() const { return end - begin; }
    bool empty() const { return begin == end; }
    bool operator==(const NodeInterval&) const = default;
};

} // namespace slotwise
