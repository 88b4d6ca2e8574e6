// In what order a path from corner to corner takes the halves of a box.
//
// A box is cut in two along some of its axes; with k such axes into 2^k parts. The path takes the
// parts one after the other, each from one of its corners to another, and crosses from a part to
// its neighbour at a common face. Hilbert's curve of a square, from the lower left to the lower
// right corner, is such a pattern: up in the first part, right in the two upper ones, down in the
// last. In boxes of odd and of thin sides such a pattern may demand the impossible (colours_allow):
// so the patterns are searched, and the first of the fewest impossible parts, then of the fewest
// turns through more than one axis, is taken.
#pragma once

#include "machine/torus/node_order/box.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace slotwise {

struct PartVisit {
    std::uint8_t part; // a bit for each cut axis, by its place in Cut::axes: the far part
    AxisSet across;    // the axes in which the part's last corner differs from its first
};

struct HalvesPattern {
    std::vector<PartVisit> visits; // empty: there is none
    int impossible = 0;            // parts whose colours do not allow their path

    bool is_sound() const { return !visits.empty() && impossible == 0; }
};

// A box whose path begins at its near corner, cut along `axes`: near and far sides together are the
// box's; on axes that are not cut both are.
struct Cut {
    std::vector<std::size_t> axes;
    Sides near;
    Sides far;

    Sides sides_of(std::uint32_t part) const;
};

// Keeps what it found: whether a pattern is possible depends only on which sides are 1, odd, even.
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
