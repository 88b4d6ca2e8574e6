// The order in which a path from corner to corner visits the halves of a box.
//
// A box is cut in two along some of its axes: k such axes give 2^k parts. The path visits the parts
// one after another, each from one of its corners to another, and crosses to a neighbouring part at
// a common face. Hilbert's curve of a square, from the lower left to the lower right corner, is
// such a pattern: up in the first part, right in the two upper ones, down in the last. Boxes with
// odd or thin sides may make a pattern impossible (colours_allow()). The program therefore searches
// for patterns and uses the one with the fewest impossible parts; of these, the one with the fewest
// turns through more than one axis; and of these, the one found first.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace slotwise {

struct PartVisit {
    std::uint8_t part; // one bit per axis in Cut::axes; set for the far part
    AxisSet across;    // axes in which the part's last corner differs from its first
};

struct HalvesPattern {
    std::vector<PartVisit> visits; // empty: no pattern
    int impossible = 0;            // parts whose path the colours do not allow

    bool is_sound() const { return !visits.empty() && impossible == 0; }
};

// A box cut along `axes`, whose path begins at its near corner. On these axes the near and far
// sides add up to the side of the box; on other axes both equal it.
struct Cut {
    std::vector<std::size_t> axes;
    Sides near;
    Sides far;

    Sides sides_of(std::uint32_t part) const;
};

// Caches its results, because a pattern depends only on which sides are 1, odd or even.
class HalvesPatterns {
  public:
    explicit HalvesPatterns(std::size_t dimensions) : dimensions_(dimensions) {}

    const HalvesPattern& find(const Cut& cut, AxisSet across);

  private:
    using Key = std::array<std::uint8_t, 1 + 2 * kMaxAxes>; // across, kinds of sides, cut axes

    std::size_t dimensions_;
    std::map<Key, HalvesPattern> found_;
};

} // namespace slotwise
