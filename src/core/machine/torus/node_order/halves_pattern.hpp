// The order in which a path through a box, from corner to corner, visits the parts of the box.
//
// A box is cut in half along some of its axes: if there are k such axes, there are 2^k parts. The
// path visits the parts one after another, entering and leaving each part at one of its corners. It
// crosses into a neighbouring part through a common face. Hilbert's curve in a square, from the
// lower left corner to the lower right corner, is such a pattern: up in the first part, to the
// right in the two upper parts, and down in the last part.
//
// If a side of the box is short or has an odd length, such a path may be impossible in some parts
// (see colours_allow()). The program therefore searches for the pattern with the fewest impossible
// parts. Ties are decided by the number of axes along which the path's first and last corner in a
// part differ: the pattern with the smallest sum over all parts is chosen, or the first one found.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace slotwise {

struct PartVisit {
    std::uint8_t part; // one bit per axis in Cut::axes; set for the far part
    AxisSet across;    // axes along which the part's last corner differs from its first
};

struct HalvesPattern {
    std::vector<PartVisit> visits; // empty if no pattern was found
    int impossible = 0;            // number of parts in which the colours allow no path

    bool is_sound() const { return !visits.empty() && impossible == 0; }
};

// A box that is cut along `axes`. Its path begins at the near corner. On the axes that are cut, the
// near side and the far side add up to the side of the box; on the other axes, both equal the side
// of the box.
struct Cut {
    std::vector<std::size_t> axes;
    Sides near;
    Sides far;

    Sides sides_of(std::uint32_t part) const;
};

// Finds patterns, and caches them. A pattern depends only on which sides are 1, odd or even, so
// many cuts have the same pattern.
class HalvesPatterns {
  public:
    explicit HalvesPatterns(std::size_t dimensions) : dimensions_(dimensions) {}

    const HalvesPattern& find(const Cut& cut, AxisSet across);

  private:
    // The key of a pattern: `across`, the kinds of the near and far side of each axis, and the axes
    // that are cut.
    using Key = std::array<std::uint8_t, 1 + 2 * kMaxAxes>;

    std::size_t dimensions_;
    std::map<Key, HalvesPattern> found_;
};

} // namespace slotwise
