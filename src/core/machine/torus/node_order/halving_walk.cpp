#include "machine/torus/node_order/halving_walk.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace slotwise {

namespace {

// Returns the length of the near half of a side. If both halves can be at least two nodes long, the
// near half gets an even length. A path through all its nodes can then lead from one end to the
// other.
std::int32_t near_half(std::int32_t side, bool longer) {
    if (side < 4) return side - 1;
    const std::int32_t half = side / 2;
    return half + (half % 2 == 0 ? 0 : longer ? 1 : -1);
}

std::vector<std::size_t> axes_in(AxisSet set) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
        if (has_axis(set, axis)) axes.push_back(axis);
    return axes;
}

AxisSet open_axes(const Sides& sides) {
    AxisSet axes = 0;
    for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
        if (sides[axis] > 1) axes |= only_axis(axis);
    return axes;
}

std::size_t longest_axis(const Sides& sides) {
    return static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin());
}

// Returns an axis such that a pattern always exists for a path between two corners that differ only
// along this axis.
std::size_t easiest_axis(const Sides& sides) {
    std::size_t easiest = longest_axis(sides);
    for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
        if (sides[axis] % 2 == 0 && (sides[easiest] % 2 == 1 || sides[axis] < sides[easiest]))
            easiest = axis;
    return easiest;
}

} // namespace

NodeSequence HalvingWalk::along(std::size_t axis, const Halving& halving,
                                std::optional<Layers> layers) {
    halving_ = halving;
    layers_ = layers;
    plans_.clear();
    line_.reserve(count_nodes(sides_of(shape_)));
    walk({0, strides_of(shape_), sides_of(shape_)}, only_axis(axis), layers.has_value());
    return std::exchange(line_, {});
}

void HalvingWalk::walk(const Box& box, AxisSet across, bool in_layers) {
    const AxisSet open = open_axes(box.sides);
    if (std::popcount(open) <= 1) {
        walk_straight(box);
        return;
    }
    across &= open;
    if (in_layers)
        if (const std::optional<Plan> layer = layer_plan(box.sides, across)) {
            walk_parts(box, *layer, true);
            return;
        }
    walk_parts(box, plan(box.sides, across), false);
}

void HalvingWalk::walk_straight(const Box& box) {
    const std::size_t axis = longest_axis(box.sides);
    for (std::int32_t i = 0; i < box.sides[axis]; ++i)
        line_.push_back(static_cast<NodeIndex>(box.corner + i * box.strides[axis]));
}

void HalvingWalk::walk_parts(const Box& box, const Plan& plan, bool in_layers) {
    const Cut& cut = plan.cut;
    unsigned corner = 0; // axes on which the path is at the far end of the part
    for (std::size_t i = 0; i < plan.pattern.visits.size(); ++i) {
        const PartVisit visit = plan.pattern.visits[i];
        Box part{box.corner, box.strides, cut.sides_of(visit.part)};
        for (std::size_t j = 0; j < cut.axes.size(); ++j)
            if ((visit.part >> j & 1) != 0)
                part.corner += box.strides[cut.axes[j]] * cut.near[cut.axes[j]];
        for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
            if ((corner >> axis & 1) != 0) {
                part.corner += box.strides[axis] * (part.sides[axis] - 1);
                part.strides[axis] = -box.strides[axis];
            }
        walk(part, visit.across, in_layers && visit.part != 0);
        corner ^= visit.across;
        if (i + 1 == plan.pattern.visits.size()) break;
        const unsigned crossed = visit.part ^ plan.pattern.visits[i + 1].part;
        const unsigned axis = 1U << cut.axes[static_cast<std::size_t>(std::countr_zero(crossed))];
        corner = (visit.part & crossed) != 0 ? corner | axis : corner & ~axis;
    }
}

std::optional<HalvingWalk::Plan> HalvingWalk::layer_plan(const Sides& sides, AxisSet across) {
    const auto [axis, thickness] = *layers_;
    if (sides[axis] <= thickness || !has_axis(across, axis)) return std::nullopt;
    Cut cut{{axis}, sides, sides};
    cut.near[axis] = thickness;
    cut.far[axis] = sides[axis] - thickness;
    Plan plan{cut, patterns_.find(cut, across)};
    if (!plan.pattern.is_sound()) return std::nullopt;
    return plan;
}

const HalvingWalk::Plan& HalvingWalk::plan(const Sides& sides, AxisSet across) {
    const auto key = std::make_pair(sides, across);
    const auto known = plans_.find(key);
    if (known != plans_.end()) return known->second;
    if (across == 0) across = only_axis(easiest_axis(sides));
    Plan best = best_plan(sides, across);
    // If no pattern leads to the required corner, lets the path end at another corner. The step
    // that follows the path is then longer than usual.
    if (best.pattern.visits.empty()) best = best_plan(sides, only_axis(easiest_axis(sides)));
    return plans_.emplace(key, std::move(best)).first->second;
}

// Returns the first plan without impossible parts or, if every plan has some, the plan with the
// fewest.
HalvingWalk::Plan HalvingWalk::best_plan(const Sides& sides, AxisSet across) {
    constexpr int kMostAxes = 4; // the loop below cuts along at most this many axes
    Plan best;
    plan_usual_cuts(best, sides, across);
    const unsigned open = open_axes(sides);
    for (unsigned axes = 1; axes <= open && !best.pattern.is_sound(); ++axes)
        if ((axes & ~open) == 0 && (axes & across) != 0 && std::popcount(axes) <= kMostAxes)
            improve(best, sides, across, axes_in(static_cast<AxisSet>(axes)));
    return best;
}

// Tries a cut along all axes that the path crosses and several of the longest other axes. Then
// repeatedly drops the shortest of these other axes and tries again.
void HalvingWalk::plan_usual_cuts(Plan& best, const Sides& sides, AxisSet across) {
    const std::int32_t longest = sides[longest_axis(sides)];
    std::vector<std::size_t> others;
    for (std::size_t axis = 0; axis < kMaxAxes; ++axis)
        if (!has_axis(across, axis) && sides[axis] > 1 && sides[axis] * halving_.reach >= longest &&
            (sides[axis] >= 4 || longest < 4))
            others.push_back(axis);
    std::stable_sort(others.begin(), others.end(),
                     [&](std::size_t a, std::size_t b) { return sides[a] > sides[b]; });
    const std::vector<std::size_t> crossed = axes_in(across);
    const std::size_t bounds = halving_.most_axes - std::min(halving_.most_axes, crossed.size());
    others.resize(std::min(bounds, others.size()));
    for (;; others.pop_back()) {
        std::vector<std::size_t> axes = others;
        axes.insert(axes.end(), crossed.begin(), crossed.end());
        if (improve(best, sides, across, std::move(axes)) || others.empty()) return;
    }
}

// Tries a cut along `axes`. Returns true if the best plan found so far has no impossible parts.
bool HalvingWalk::improve(Plan& best, const Sides& sides, AxisSet across,
                          std::vector<std::size_t> axes) {
    Cut cut{std::move(axes), sides, sides};
    for (const std::size_t axis : cut.axes) {
        cut.near[axis] = near_half(sides[axis], halving_.longer_half_near);
        cut.far[axis] = sides[axis] - cut.near[axis];
    }
    const HalvesPattern& pattern = patterns_.find(cut, across);
    const bool is_first = best.pattern.visits.empty();
    if (!pattern.visits.empty() && (is_first || pattern.impossible < best.pattern.impossible))
        best = {std::move(cut), pattern};
    return best.pattern.is_sound();
}

} // namespace slotwise
