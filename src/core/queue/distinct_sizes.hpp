// The distinct processor counts of the jobs in a trace, in ascending order.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class DistinctSizes {
  public:
    // Requires at least one job. Takes O(n) time, plus the time of a sort if any job has more than
    // kWidestTable processors.
    explicit DistinctSizes(std::span<const ProcCount> processors);

    std::size_t count() const { return sizes_.size(); }
    ProcCount operator[](std::size_t size) const { return sizes_[size]; }

    // Returns the number of distinct sizes up to `processors`.
    std::uint32_t up_to(ProcCount processors) const {
        if (processors < sizes_.front()) return 0;
        if (processors >= sizes_.back()) return static_cast<std::uint32_t>(sizes_.size());
        if (!up_to_.empty()) return up_to_[static_cast<std::size_t>(processors)];
        const auto above = std::upper_bound(sizes_.begin(), sizes_.end(), processors);
        return static_cast<std::uint32_t>(above - sizes_.begin());
    }

    // Returns the index of the size `processors`. At least one job must have this size.
    std::uint32_t place_of(ProcCount processors) const { return up_to(processors) - 1; }

  private:
    static constexpr ProcCount kWidestTable = 1 << 20;

    std::vector<ProcCount> sizes_;
    // The number of distinct sizes up to each processor count. Empty if any size is above
    // kWidestTable.
    std::vector<std::uint32_t> up_to_;
};

} // namespace slotwise
