// A heuristic solver for the window's knapsack problem. Each slot in turn takes the jobs that fit,
// in window order. Then jobs change places if that makes room for another job.
//
// Example (Figure 4, assignment.hpp): slot 0 takes C, slot 1 takes A, and slot 2 takes B and D,
// which leaves one node free: the total is 14. No two jobs can change places so that E fits, so the
// total remains 14. Replacing D with E fills the free node: the total is 15.
#pragma once

#include "planner/torus/knapsack/assignment.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise::knapsack {

// The solver has three steps. The first is Algorithm 3 of the paper, applied to every slot in
// position order. The second is one pass, in window order, over all pairs of placed jobs in
// different slots. Two jobs change places if both fit and a waiting job then fits next to the
// smaller one; the first such waiting job in window order is placed there. The third is one pass
// over the placed jobs, in window order. A job is replaced if waiting jobs, added in window order,
// would fill more nodes in its place. The passes are those of Martello and Toth, "Heuristic
// algorithms for the multiple knapsack problem", Computing 27, 1981. The result is not guaranteed
// to be optimal. The solver takes O(slots x jobs + jobs^3) time.
class Greedy {
  public:
    void solve(const Instance& instance);

    // The number of nodes filled after each of the three steps of the last solution.
    struct Totals {
        std::int64_t filled, exchanged, replaced;
    };
    Totals totals() const { return totals_; }

  private:
    void fill();
    void exchange();
    void replace();

    bool is_placed(std::size_t job) const { return of_.slot_of[job] != kNoSlot; }
    void put(std::size_t job, SlotIndex slot);
    void take_out(std::size_t job);
    void try_exchange(std::size_t one, std::size_t other);
    void try_replacing(std::size_t placed);

    Instance of_;
    std::vector<ProcCount> room_; // number of nodes left in each slot
    std::int64_t total_ = 0;
    Totals totals_{};
};

} // namespace slotwise::knapsack
