// The different numbers of processors that the jobs of a trace take, ascending.
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
    // Of at least one job. O(n), and a sort where one is wider than any machine is.
    explicit DistinctSizes(std::span<const ProcCount> processors);

    std::size_t count() const { return sizes_.size(); }
    ProcCount operator[](std::size_t size) const { return sizes_[size]; }

    // How many sizes are at most `processors`.
    std::uint32_t up_to(ProcCount processors) const {
        if (processors < sizes_.front()) return 0;
        if (processors >= sizes_.back()) return static_cast<std::uint32_t>(sizes_.size());
        if (!up_to_.empty()) return up_to_[static_cast<std::size_t>(processors)];
        const auto above = std::upper_bound(sizes_.begin(), sizes_.end(), processors);
        return static_cast<std::uint32_t>(above - sizes_.begin());
    }

    // Where a size that occurs lies among them.
    std::uint32_t place_of(ProcCount processors) const { return up_to(processors) - 1; }

  private:
    static constexpr ProcCount kWidestTable = 1 << 20;

    std::vector<ProcCount> sizes_;
    std::vector<std::uint32_t> up_to_; // by processors; empty where one is above kWidestTable
};

} // namespace slotwise
