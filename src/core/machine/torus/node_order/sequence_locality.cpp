#include "machine/torus/node_order/sequence_locality.hpp"

#include <algorithm>
#include <cstdlib>

namespace slotwise {

SequenceLocality::SequenceLocality(std::span<const std::int32_t> shape,
                                   std::span<const NodeIndex> sequence)
    : nodes_(sequence.size()) {
    NodeIndex stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const auto side = static_cast<NodeIndex>(shape[axis]);
        if (side == 1) continue;
        std::vector<std::int32_t> column(nodes_);
        for (std::size_t at = 0; at < nodes_; ++at)
            column[at] = static_cast<std::int32_t>(sequence[at] / stride % side);
        coordinates_.push_back(std::move(column));
        sides_.push_back(shape[axis]);
        stride *= side;
    }
}

double SequenceLocality::mean_distance(std::int32_t lag) const {
    const auto apart = static_cast<std::size_t>(lag);
    if (apart >= nodes_) return 0;
    constexpr std::size_t kBlock = 512; // small enough for the sum over a block to fit in 32 bits
    std::int64_t links = 0;
    for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
        const std::int32_t* at = coordinates_[axis].data();
        const std::int32_t side = sides_[axis];
        for (std::size_t begin = apart; begin < nodes_; begin += kBlock) {
            const std::size_t end = std::min(begin + kBlock, nodes_);
            std::int32_t sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const std::int32_t way = std::abs(at[i] - at[i - apart]);
                sum += std::min(way, side - way);
            }
            links += sum;
        }
    }
    return static_cast<double>(links) / static_cast<double>(nodes_ - apart);
}

std::map<std::int32_t, std::int32_t> SequenceLocality::longer_steps() const {
    std::map<std::int32_t, std::int32_t> counts;
    for (std::size_t i = 1; i < nodes_; ++i) {
        std::int32_t links = 0;
        for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
            const std::int32_t way = std::abs(coordinates_[axis][i] - coordinates_[axis][i - 1]);
            links += std::min(way, sides_[axis] - way);
        }
        if (links > 1) ++counts[links];
    }
    return counts;
}

} // namespace slotwise
