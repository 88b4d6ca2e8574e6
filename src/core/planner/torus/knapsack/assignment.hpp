// The problem that both window solvers solve: a 0-1 multiple knapsack problem, here a multiple
// subset sum problem. Waiting jobs are the items, and runs of free nodes are the knapsacks. The
// size of a job is both its weight and its profit. The best assignment is the one that fills the
// most nodes.
//
// Example (Figure 4 of the paper): there are jobs A (6 nodes), B (4), C (3), D (1) and E (2), and
// slots 0, 1 and 2 with 3, 6 and 6 nodes. The first optimum fills all 15 nodes: A in slot 1, B in
// slot 2, C in slot 0 and E in slot 2. D waits.
//
// X. Yang et al., "Balancing job performance with system performance via locality-aware scheduling
// on torus-connected systems", IEEE CLUSTER 2014, section III.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise::knapsack {

using SlotIndex = std::int32_t; // index in the list of capacities

inline constexpr SlotIndex kNoSlot = -1; // the job waits

// One instance of the problem, and its solution. All sizes and capacities are at least 1, and
// slot_of is as long as sizes.
struct Instance {
    std::span<const ProcCount> sizes;      // sizes of the jobs, in window order
    std::span<const ProcCount> capacities; // sizes of the slots, in position order
    std::span<SlotIndex> slot_of;          // indexed by job
};

// Fills `kept` with the indices of the `n` largest capacities, or of all capacities if there are
// fewer. The indices are in ascending order. Among equal capacities, the first ones are used.
void largest_slots(std::span<const ProcCount> capacities, std::size_t n,
                   std::vector<SlotIndex>& kept);

} // namespace slotwise::knapsack
