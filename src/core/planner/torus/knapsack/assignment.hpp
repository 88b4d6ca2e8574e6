// What both solvers of the window share. Waiting jobs are items, runs of free nodes are knapsacks,
// and a job's weight and its profit are both its size: an assignment is the better the more nodes
// it fills (a 0-1 multiple knapsack, or multiple subset sum).
//
// Figure 4 of the paper: jobs A 6, B 4, C 3, D 1, E 2 and slots of 3, 6 and 6 nodes. The first
// optimum fills all 15: A in slot 1, B in slot 2, C in slot 0, E in slot 2 (counted from 0), and D
// waits.
//
// X. Yang et al., "Balancing job performance with system performance via locality-aware scheduling
// on torus-connected systems", IEEE CLUSTER 2014, section III.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise::knapsack {

using SlotIndex = std::int32_t; // in the list of capacities

inline constexpr SlotIndex kNoSlot = -1; // the job waits

// An instance and where its answer goes. All sizes and capacities are at least 1; slot_of is as
// long as sizes.
struct Instance {
    std::span<const ProcCount> sizes;      // of the jobs, in window order
    std::span<const ProcCount> capacities; // of the slots, in position order
    std::span<SlotIndex> slot_of;          // by job
};

// Fills `kept` with the indices, ascending, of the `n` largest capacities; of equal ones the first.
// All of them where there are no more.
void largest_slots(std::span<const ProcCount> capacities, std::size_t n,
                   std::vector<SlotIndex>& kept);

} // namespace slotwise::knapsack
