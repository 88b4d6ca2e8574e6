#include "queue/distinct_sizes.hpp"

namespace slotwise {

DistinctSizes::DistinctSizes(std::span<const ProcCount> processors) {
    const ProcCount widest = *std::max_element(processors.begin(), processors.end());
    if (widest > kWidestTable) {
        sizes_.assign(processors.begin(), processors.end());
        std::sort(sizes_.begin(), sizes_.end());
        sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
        return;
    }
    std::vector<std::uint8_t> occurs(static_cast<std::size_t>(widest) + 1, 0);
    for (const ProcCount p : processors)
        occurs[static_cast<std::size_t>(p)] = 1;
    up_to_.resize(occurs.size());
    for (std::size_t p = 0; p < occurs.size(); ++p) {
        if (occurs[p] != 0) sizes_.push_back(static_cast<ProcCount>(p));
        up_to_[p] = static_cast<std::uint32_t>(sizes_.size());
    }
}

} // namespace slotwise
