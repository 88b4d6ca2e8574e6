#include "planner/torus/knapsack/assignment.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise::knapsack {

void largest_slots(std::span<const ProcCount> capacities, std::size_t n,
                   std::vector<SlotIndex>& kept) {
    kept.resize(capacities.size());
    std::iota(kept.begin(), kept.end(), SlotIndex{0});
    if (kept.size() <= n) return;
    const auto precedes = [&](SlotIndex a, SlotIndex b) {
        return capacities[a] != capacities[b] ? capacities[a] > capacities[b] : a < b;
    };
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(n), kept.end(),
                     precedes);
    kept.resize(n);
    std::sort(kept.begin(), kept.end());
}

} // namespace slotwise::knapsack
