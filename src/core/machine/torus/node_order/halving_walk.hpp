// A path through a box, from corner to corner, that halves the box recursively.
#pragma once

#include "machine/torus/node_order/box.hpp"
#include "machine/torus/node_order/halves_pattern.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// Parameters that determine how boxes are cut. Every choice gives a path through the box, but some
// paths keep nodes closer together than others.
struct Halving {
    double reach = 2;              // axes with side * reach >= longest side are cut
    std::size_t most_axes = 3;     // maximum number of axes to cut, unless the path crosses more
    bool longer_half_near = false; // if side / 2 is odd, the near half is side / 2 + 1
};

// Divides the box into layers, which the path visits one after another. Within each layer, the path
// is built by halving.
struct Layers {
    std::size_t axis;
    std::int32_t thickness;
};

class HalvingWalk {
  public:
    // Any number of walks may share the same `patterns`.
    HalvingWalk(std::span<const std::int32_t> shape, HalvesPatterns& patterns)
        : shape_(shape), patterns_(patterns) {}

    // Returns a path from the corner at node 0 to the corner that differs from it in `axis`, whose
    // side must be above 1. On the torus, these two corners are neighbours. Each step of the path
    // leads to a neighbour, except where every pattern found has impossible parts.
    NodeSequence along(std::size_t axis, const Halving& halving,
                       std::optional<Layers> layers = std::nullopt);

  private:
    struct Box {
        std::int64_t corner;                        // beginning of the path, as a NodeIndex
        std::array<std::int64_t, kMaxAxes> strides; // step in NodeIndex along each axis
        Sides sides;
    };
    struct Plan {
        Cut cut;
        HalvesPattern pattern;
    };

    void walk(const Box& box, AxisSet across, bool in_layers);
    void walk_straight(const Box& box);
    void walk_parts(const Box& box, const Plan& plan, bool in_layers);
    std::optional<Plan> layer_plan(const Sides& sides, AxisSet across);
    const Plan& plan(const Sides& sides, AxisSet across);
    Plan best_plan(const Sides& sides, AxisSet across);
    bool improve(Plan& best, const Sides& sides, AxisSet across, std::vector<std::size_t> axes);
    void plan_usual_cuts(Plan& best, const Sides& sides, AxisSet across);

    std::span<const std::int32_t> shape_;
    HalvesPatterns& patterns_;
    std::map<std::pair<Sides, AxisSet>, Plan> plans_; // the plans made with halving_ so far
    Halving halving_;
    std::optional<Layers> layers_;
    NodeSequence line_;
};

} // namespace slotwise
