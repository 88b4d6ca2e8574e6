#include "machine/torus/dispersal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace slotwise {

namespace {

using Counts = std::vector<std::int64_t>;

template <class Visit>
void for_each_node(const Torus& torus, std::span<const NodeInterval> nodes, Visit&& visit) {
    for (const NodeInterval& interval : nodes)
        for (std::int32_t position = interval.begin; position < interval.end; ++position)
            visit(torus.coordinates(position));
}

// Returns, for each axis, the number of nodes at each coordinate.
std::vector<Counts> counts_of(const Torus& torus, std::span<const NodeInterval> nodes) {
    std::vector<Counts> counts;
    for (const std::int32_t side : torus.shape())
        counts.emplace_back(static_cast<std::size_t>(side), 0);
    for_each_node(torus, nodes, [&](std::span<const std::int32_t> node) {
        for (std::size_t axis = 0; axis < node.size(); ++axis)
            ++counts[axis][static_cast<std::size_t>(node[axis])];
    });
    return counts;
}

// Returns twice the sum of the ring distances between all pairs of nodes. `count` contains the
// number of nodes at each coordinate. For coordinate c, `ahead` is the sum of d · count[c + d] over
// d = 1 … h, where h is the largest distance that is less than half the ring. On a ring of even
// length, the loop meets each pair of opposite nodes twice, so it adds them with half the weight.
double twice_ring_distances(const Counts& count) {
    const std::size_t side = count.size();
    const std::size_t h = (side - 1) / 2;
    std::int64_t ahead = 0;
    std::int64_t within = 0; // number of nodes at most h ahead
    for (std::size_t d = 1; d <= h; ++d) {
        ahead += static_cast<std::int64_t>(d) * count[d];
        within += count[d];
    }
    double sum = 0;
    for (std::size_t c = 0; c < side; ++c) {
        sum += 2 * static_cast<double>(count[c]) * static_cast<double>(ahead);
        if (side % 2 == 0)
            sum += static_cast<double>(count[c]) *
                   static_cast<double>(count[(c + side / 2) % side]) *
                   static_cast<double>(side / 2);
        if (h == 0) continue;
        const std::int64_t entering = count[(c + 1 + h) % side];
        ahead += static_cast<std::int64_t>(h) * entering - within;
        within += entering - count[(c + 1) % side];
    }
    return sum;
}

// If all coordinates in use are within one half of the ring, returns the first coordinate of this
// half; otherwise, returns -1. Within such a half, the shortest way between two coordinates never
// leaves the half.
std::int32_t begin_of_half(const Counts& count) {
    const std::size_t side = count.size();
    std::size_t last = side;
    for (std::size_t c = 0; c < side; ++c)
        if (count[c] > 0) last = c;
    // If there is such a half, it begins after the longest gap between coordinates in use.
    std::size_t reach = side;
    std::size_t begin = 0;
    for (std::size_t c = 0; c < side; ++c) {
        if (count[c] == 0) continue;
        const std::size_t gap = (c + side - last - 1) % side;
        if (side - 1 - gap < reach) {
            reach = side - 1 - gap;
            begin = c;
        }
        last = c;
    }
    return 2 * reach <= side ? static_cast<std::int32_t>(begin) : -1;
}

// Returns the largest distance between two of the nodes. On each ring, all nodes must lie within
// the half that starts at `begin`. For each combination of signs, one sign per axis, adds up
// the signed coordinates of each node. The result is the largest difference between the sums of two
// nodes under the same combination.
std::int32_t spread(const Torus& torus, std::span<const NodeInterval> nodes,
                    std::span<const std::int32_t> begin) {
    constexpr std::size_t kMostSigns = std::size_t{1} << (Torus::kMaxDimensions - 1);
    const std::size_t n_signs = std::size_t{1} << (torus.dimensions() - 1);
    std::array<std::int32_t, kMostSigns> low;
    std::array<std::int32_t, kMostSigns> high;
    low.fill(std::numeric_limits<std::int32_t>::max());
    high.fill(std::numeric_limits<std::int32_t>::min());
    for_each_node(torus, nodes, [&](std::span<const std::int32_t> node) {
        for (std::size_t signs = 0; signs < n_signs; ++signs) {
            std::int32_t sum = 0;
            for (std::size_t axis = 0; axis < node.size(); ++axis) {
                std::int32_t along = node[axis] - begin[axis];
                if (along < 0) along += torus.shape()[axis];
                sum += (signs >> axis & 1) != 0 ? -along : along;
            }
            low[signs] = std::min(low[signs], sum);
            high[signs] = std::max(high[signs], sum);
        }
    });
    std::int32_t most = 0;
    for (std::size_t signs = 0; signs < n_signs; ++signs)
        most = std::max(most, high[signs] - low[signs]);
    return most;
}

// The distances along each ring from the coordinate of a given node to all coordinates.
class RingDistances {
  public:
    RingDistances(const Torus& torus, std::span<const std::int32_t> from) {
        for (std::size_t axis = 0; axis < from.size(); ++axis) {
            const std::int32_t side = torus.shape()[axis];
            first_.push_back(ring_.size());
            for (std::int32_t at = 0; at < side; ++at) {
                const std::int32_t apart = std::abs(at - from[axis]);
                ring_.push_back(std::min(apart, side - apart));
            }
        }
    }

    std::int32_t to(std::span<const std::int32_t> node) const {
        std::int32_t sum = 0;
        for (std::size_t axis = 0; axis < node.size(); ++axis)
            sum += ring_[first_[axis] + static_cast<std::size_t>(node[axis])];
        return sum;
    }

  private:
    std::vector<std::size_t> first_;
    std::vector<std::int32_t> ring_;
};

// Returns the longest distance on a ring between two coordinates that are in use.
std::int32_t longest_on_ring(const Counts& count) {
    const std::size_t side = count.size();
    for (std::size_t d = side / 2; d > 0; --d)
        for (std::size_t c = 0; c < side; ++c)
            if (count[c] > 0 && count[(c + d) % side] > 0) return static_cast<std::int32_t>(d);
    return 0;
}

// Searches for two nodes that are `distance` apart, and returns true if it finds them. The search
// starts at the first node, and repeatedly moves to the node that is farthest from the current one.
bool has_pair(const Torus& torus, std::span<const NodeInterval> nodes, std::int32_t distance) {
    constexpr int kTries = 4;
    std::span<const std::int32_t> from = torus.coordinates(nodes.front().begin);
    for (int i = 0; i < kTries; ++i) {
        const RingDistances distances(torus, from);
        std::int32_t farthest = -1;
        for_each_node(torus, nodes, [&](std::span<const std::int32_t> node) {
            const std::int32_t apart = distances.to(node);
            if (apart > farthest) {
                farthest = apart;
                from = node;
            }
        });
        if (farthest == distance) return true;
    }
    return false;
}

// Finds the largest distance between two nodes of a set. The nodes of a torus that are farthest
// from a node n lie opposite n; if a ring has odd length, n has several such nodes. Each step from
// such a node towards n reduces the distance to n by one. Let s be the smallest distance between a
// node of the set and a node that lies opposite some node of the set. The result is then the
// longest distance in the torus minus s.
class OppositeSearch {
  public:
    explicit OppositeSearch(const Torus& torus) : torus_(torus), marks_(n_nodes(), kNone) {
        std::size_t stride = 1;
        for (const std::int32_t side : torus.shape()) {
            stride_.push_back(stride);
            stride *= static_cast<std::size_t>(side);
        }
    }

    std::int32_t max_distance(std::span<const NodeInterval> nodes) {
        std::int32_t longest = 0;
        for (const std::int32_t side : torus_.shape())
            longest += side / 2;
        for_each_node(torus_, nodes,
                      [&](std::span<const std::int32_t> node) { mark_opposite(node, 0, 0); });
        for_each_node(torus_, nodes, [&](std::span<const std::int32_t> node) {
            std::size_t index = 0;
            for (std::size_t axis = 0; axis < node.size(); ++axis)
                index += static_cast<std::size_t>(node[axis]) * stride_[axis];
            reach(index);
        });
        while (!found_) {
            --longest;
            reached_.swap(next_);
            next_.clear();
            for (const std::size_t index : reached_)
                for (std::size_t axis = 0; axis < stride_.size(); ++axis)
                    reach_along(index, axis);
        }
        return longest;
    }

  private:
    enum Mark : std::uint8_t { kNone, kOpposite, kReached };

    std::size_t n_nodes() const { return static_cast<std::size_t>(torus_.nodes()); }

    void mark_opposite(std::span<const std::int32_t> node, std::size_t axis, std::size_t index) {
        if (axis == node.size()) {
            marks_[index] = kOpposite;
            return;
        }
        const std::int32_t side = torus_.shape()[axis];
        const auto at = [&](std::int32_t step) {
            return index + static_cast<std::size_t>((node[axis] + step) % side) * stride_[axis];
        };
        mark_opposite(node, axis + 1, at(side / 2));
        if (side % 2 != 0) mark_opposite(node, axis + 1, at(side / 2 + 1));
    }

    void reach(std::size_t index) {
        if (marks_[index] == kReached) return;
        found_ = found_ || marks_[index] == kOpposite;
        marks_[index] = kReached;
        next_.push_back(index);
    }

    void reach_along(std::size_t index, std::size_t axis) {
        const auto side = static_cast<std::size_t>(torus_.shape()[axis]);
        const std::size_t at = index / stride_[axis] % side;
        const std::size_t line = index - at * stride_[axis];
        reach(line + (at + 1) % side * stride_[axis]);
        reach(line + (at + side - 1) % side * stride_[axis]);
    }

    const Torus& torus_;
    std::vector<std::size_t> stride_;
    std::vector<std::uint8_t> marks_; // one Mark per index in the box
    std::vector<std::size_t> reached_;
    std::vector<std::size_t> next_;
    bool found_ = false;
};

} // namespace

double mean_distance(const Torus& torus, std::span<const NodeInterval> nodes) {
    double n = 0;
    for (const NodeInterval& interval : nodes)
        n += interval.size();
    if (n < 2) return 0;
    double sum = 0;
    for (const Counts& count : counts_of(torus, nodes))
        sum += twice_ring_distances(count);
    return sum / (n * (n - 1));
}

std::int32_t max_distance(const Torus& torus, std::span<const NodeInterval> nodes) {
    if (nodes.empty()) return 0;
    // The sum of the longest distances on each ring is an upper bound, which is usually reached.
    std::vector<std::int32_t> begin;
    std::int32_t most = 0;
    for (const Counts& count : counts_of(torus, nodes)) {
        begin.push_back(begin_of_half(count));
        most += longest_on_ring(count);
    }
    if (has_pair(torus, nodes, most)) return most;
    const bool fits = std::find(begin.begin(), begin.end(), -1) == begin.end();
    return fits ? spread(torus, nodes, begin) : OppositeSearch(torus).max_distance(nodes);
}

} // namespace slotwise
