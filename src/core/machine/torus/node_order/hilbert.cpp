// Hilbert's curve, and similar sequences for boxes of any shape.
//
// If the box is a cube whose side is a power of two, Skilling's transform is used. For any other
// box, several sequences are built. The best sequence is the one with the fewest steps between
// nodes that are not neighbours. Ties are decided by the smaller mean torus distance between nodes
// that are 2 to 256 positions apart in the sequence. The following families of sequences are tried
// in turn, until one of them contains a sequence at least as good as `snake`. The best sequence of
// that family is used.
//
//   halving: a path from corner to corner; the box is halved recursively, as in Hilbert's curve.
//   layers:  such paths through layers that are one to eight nodes thick, one after another.
//   helix:   the same closed path in every layer; each layer begins next to the end of the one
//            before. Example of a helix in a 3 × 4 box, where the path through a row is 0 1 2 3 (3
//            and 0 are neighbours on the torus): (0,0) (0,1) (0,2) (0,3) (1,3) (1,0) (1,1) (1,2)
//            (2,2) (2,3) (2,0) (2,1).
//
// If no family contains such a sequence, the snake itself is used. This happens only for small
// boxes and for boxes with few layers.
#include "machine/torus/node_order/halving_walk.hpp"
#include "machine/torus/node_order/node_order.hpp"
#include "machine/torus/node_order/sequence_locality.hpp"
#include "machine/torus/node_order/skilling.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>
#include <utility>

namespace slotwise {

namespace {

using Shape = std::span<const std::int32_t>;

constexpr std::array kHalvings{Halving{2, 3, false}, Halving{1, 2, false}, Halving{2, 3, true}};
constexpr std::array<std::int32_t, 6> kThicknesses{1, 2, 3, 4, 6, 8};

// The quality of a sequence (smaller is better): first the number of steps between nodes that are
// not neighbours, then the mean distance.
using Measure = std::pair<std::int32_t, double>;

Measure measured(Shape shape, const NodeSequence& sequence) {
    const SequenceLocality locality(shape, sequence);
    std::int32_t longer = 0;
    for (const auto& [links, steps] : locality.longer_steps())
        longer += steps;
    constexpr std::size_t kManyNodes = 1 << 17; // with more nodes, only every 16th lag is measured
    const std::int32_t every = sequence.size() > kManyNodes ? 16 : 1;
    double sum = 0;
    int lags = 0;
    for (std::int32_t lag = 2; lag <= 256 && static_cast<std::size_t>(lag) < sequence.size();
         lag += every, ++lags)
        sum += locality.mean_distance(lag);
    return {longer, lags > 0 ? sum / lags : 0};
}

class Nearest {
  public:
    explicit Nearest(Shape shape) : shape_(shape) {}

    void consider(NodeSequence sequence) {
        const Measure measure = measured(shape_, sequence);
        if (best_ && measure >= measure_) return;
        best_ = std::move(sequence);
        measure_ = measure;
    }
    bool is_no_worse_than(const Measure& other) const { return best_ && measure_ <= other; }
    NodeSequence take() { return std::move(*best_); }

  private:
    Shape shape_;
    std::optional<NodeSequence> best_;
    Measure measure_;
};

// Returns the axes along which the colours allow a path from one end of the box to the other that
// visits every node once and steps only between neighbours (see colours_allow()).
std::vector<std::size_t> ways(Shape shape) {
    const Sides sides = sides_of(shape);
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (sides[axis] > 1 && colours_allow(sides, only_axis(axis))) axes.push_back(axis);
    return axes;
}

void consider_halvings(Nearest& nearest, Shape shape, HalvesPatterns& patterns) {
    HalvingWalk walk(shape, patterns);
    for (const std::size_t axis : ways(shape))
        for (const Halving& halving : kHalvings)
            nearest.consider(walk.along(axis, halving));
}

void consider_layers(Nearest& nearest, Shape shape, HalvesPatterns& patterns) {
    HalvingWalk walk(shape, patterns);
    for (const std::size_t axis : ways(shape))
        for (const std::int32_t thickness : kThicknesses)
            if (thickness < shape[axis])
                nearest.consider(walk.along(axis, kHalvings[0], Layers{axis, thickness}));
}

// Builds a sequence that follows the path `layer` in every layer along an axis. `layer` is a closed
// path through the nodes with coordinate 0 on this axis, and adding `stride` to a node leads to the
// next layer.
NodeSequence helix(const NodeSequence& layer, std::int32_t layers, std::int64_t stride) {
    NodeSequence sequence;
    sequence.reserve(layer.size() * static_cast<std::size_t>(layers));
    std::size_t at = 0;
    for (std::int32_t z = 0; z < layers; ++z) {
        for (std::size_t i = 0; i < layer.size(); ++i, ++at)
            sequence.push_back(layer[at % layer.size()] + static_cast<NodeIndex>(z * stride));
        --at; // the next layer begins next to the end of this one
    }
    return sequence;
}

void consider_helices(Nearest& nearest, Shape shape, HalvesPatterns& patterns) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) continue;
        std::vector<std::int32_t> layer_shape(shape.begin(), shape.end());
        layer_shape[axis] = 1;
        const auto strides = strides_of(shape);
        // Converts node numbers within a layer to node numbers within the box.
        const auto raised = [&](NodeSequence layer) {
            const auto below = static_cast<NodeIndex>(strides[axis]);
            for (NodeIndex& node : layer)
                node += node / below * below * static_cast<NodeIndex>(shape[axis] - 1);
            return layer;
        };
        HalvingWalk walk(layer_shape, patterns);
        for (const std::size_t across : ways(layer_shape))
            for (const auto& [halving, layers] :
                 {std::make_pair(kHalvings[0], std::optional<Layers>{}),
                  std::make_pair(kHalvings[1], std::optional<Layers>{}),
                  std::make_pair(kHalvings[0], std::optional(Layers{across, 1}))})
                nearest.consider(
                    helix(raised(walk.along(across, halving, layers)), shape[axis], strides[axis]));
    }
}

// If the box is a cube whose side is a power of two above 1, returns the number of bits of a
// coordinate; otherwise, returns 0.
unsigned bits_of_cube(Shape shape) {
    const auto side = static_cast<std::uint32_t>(shape[0]);
    const bool is_cube = std::all_of(shape.begin(), shape.end(),
                                     [&](std::int32_t other) { return other == shape[0]; });
    return is_cube && std::has_single_bit(side) ? static_cast<unsigned>(std::countr_zero(side)) : 0;
}

std::vector<NodeIndex> hilbert(Shape shape) {
    const auto long_sides = std::count_if(shape.begin(), shape.end(), [](auto s) { return s > 1; });
    NodeSequence snake = node_order_registry().find("snake").make(shape);
    if (long_sides <= 1) return snake; // the box is a single ring
    if (const unsigned bits = bits_of_cube(shape)) return skilling_line(shape.size(), bits);
    const Measure to_beat = measured(shape, snake);
    Nearest nearest(shape);
    HalvesPatterns patterns(shape.size());
    for (const auto& consider : {consider_halvings, consider_layers, consider_helices}) {
        consider(nearest, shape, patterns);
        if (nearest.is_no_worse_than(to_beat)) return nearest.take();
    }
    return snake;
}

const bool hilbert_registered = node_order_registry().add({
    .name = "hilbert",
    .doc = "Along a Hilbert curve, generalised to any box; nearby positions are nearby nodes.",
    .reference = "D. Hilbert, Mathematische Annalen 38, 1891; J. Skilling, AIP Conference "
                 "Proceedings 707, 2004",
    .parameters = {},
    .make = &hilbert,
});

} // namespace

} // namespace slotwise
