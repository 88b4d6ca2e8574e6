#include "machine/torus/node_order/halves_pattern.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace slotwise {

namespace {

// After this many visits, a search stops and uses the best pattern that it has found.
constexpr int kMaxVisits = 1'000;
constexpr int kMaxTurn = 3;        // maximum number of axes that the path crosses within a part
constexpr int kImpossible = 1'000; // an impossible part costs as much as crossing this many axes

class Search {
  public:
    Search(const Cut& cut, AxisSet across, std::size_t dimensions) : cut_(cut), across_(across) {
        const std::uint32_t parts = 1U << cut.axes.size();
        for (std::uint32_t part = 0; part < parts; ++part)
            sides_.push_back(cut.sides_of(part));
        for (int count = 1; count <= kMaxTurn; ++count)
            for (std::uint32_t axes = 1; axes < 1U << dimensions; ++axes)
                if (std::popcount(axes) == count) turns_.push_back(static_cast<AxisSet>(axes));
        for (std::size_t j = 0; j < cut.axes.size(); ++j)
            if (has_axis(across, cut.axes[j])) last_part_ |= 1U << j;
    }

    HalvesPattern run() {
        visit(0, 0, 0, 0);
        return {best_, best_cost_ / kImpossible};
    }

  private:
    // Tries all ways to continue the path from `corner` of `part`. A corner is represented by the
    // set of axes on which it is at the far end. If the part has length 1 along an axis, both ends
    // are the same, so it does not matter whether the axis is in the set.
    void visit(std::uint64_t visited, std::uint32_t part, AxisSet corner, int cost) {
        if (++visits_ > kMaxVisits || cost >= best_cost_) return;
        visited |= std::uint64_t{1} << part;
        const Sides& sides = sides_[part];
        if (count_nodes(sides) == 1) {
            leave(visited, part, 0, corner, cost);
            return;
        }
        for (const bool possible : {true, false})
            for (const AxisSet turn : turns_)
                if (can_turn(sides, turn) && colours_allow(sides, turn) == possible)
                    leave(visited, part, turn, corner ^ turn,
                          cost + std::popcount(turn) - 1 + (possible ? 0 : kImpossible));
    }

    void leave(std::uint64_t visited, std::uint32_t part, AxisSet turn, unsigned corner, int cost) {
        if (cost >= best_cost_) return;
        path_.push_back({static_cast<std::uint8_t>(part), turn});
        if (path_.size() == sides_.size()) {
            if (part == last_part_ && stands_at(sides_[part], corner)) {
                best_ = path_;
                best_cost_ = cost;
            }
        } else {
            for (std::size_t j = 0; j < cut_.axes.size(); ++j) {
                const std::uint32_t next = part ^ 1U << j;
                if ((visited >> next & 1) != 0) continue;
                const std::size_t axis = cut_.axes[j];
                const unsigned facing = (part >> j & 1) ^ 1U;
                if (sides_[part][axis] > 1 && (corner >> axis & 1) != facing) continue;
                const unsigned entered = (corner & ~(1U << axis)) | (facing ^ 1U) << axis;
                visit(visited, next, static_cast<AxisSet>(entered), cost);
            }
        }
        path_.pop_back();
    }

    static bool can_turn(const Sides& sides, AxisSet turn) {
        for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
            if (has_axis(turn, axis) && sides[axis] == 1) return false;
        return true;
    }

    bool stands_at(const Sides& sides, unsigned corner) const {
        for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
            if (sides[axis] > 1 && (corner >> axis & 1) != (across_ >> axis & 1U)) return false;
        return true;
    }

    const Cut& cut_;
    AxisSet across_;
    std::uint32_t last_part_ = 0;
    std::vector<Sides> sides_;   // one per part
    std::vector<AxisSet> turns_; // sets of axes to cross within a part, smallest first
    std::vector<PartVisit> path_;
    std::vector<PartVisit> best_;
    int best_cost_ = std::numeric_limits<int>::max();
    int visits_ = 0;
};

std::uint8_t kind_of(std::int32_t side) {
    return side == 1 ? 0 : side % 2 == 1 ? 1 : 2;
}

} // namespace

Sides Cut::sides_of(std::uint32_t part) const {
    Sides sides = near;
    for (std::size_t j = 0; j < axes.size(); ++j)
        if ((part >> j & 1) != 0) sides[axes[j]] = far[axes[j]];
    return sides;
}

const HalvesPattern& HalvesPatterns::find(const Cut& cut, AxisSet across) {
    Key key{across};
    for (std::size_t axis = 0; axis < dimensions_; ++axis)
        key[1 + axis] =
            static_cast<std::uint8_t>(3 * kind_of(cut.near[axis]) + kind_of(cut.far[axis]));
    for (std::size_t j = 0; j < cut.axes.size(); ++j)
        key[1 + kMaxAxes + j] = static_cast<std::uint8_t>(1 + cut.axes[j]);
    const auto known = found_.find(key);
    if (known != found_.end()) return known->second;
    return found_.emplace(key, Search(cut, across, dimensions_).run()).first->second;
}

} // namespace slotwise
