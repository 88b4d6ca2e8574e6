// Heuristic solver of the window's knapsacks. Each slot in turn takes jobs that fit, in window
// order; then jobs change places if that lets another one in.
//
// Example (Figure 4, assignment.hpp): slot 0 takes C, slot 1 A, slot 2 B and D, which leaves one
// node: 14. No two jobs can change places so that E fits: still 14. Replacing D by E fills that
// node: 15.
#pragma once

#include "planner/torus/knapsack/assignment.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise::knapsack {

// Three steps. First, Algorithm 3 of the paper, for every slot in position order. Second, one pass
// over pairs of placed jobs in different slots, by window position. They change places if both fit
// and a waiting job, the first in window order, then fits next to the smaller. Third, one pass over
// placed jobs, in window order. Each is replaced if waiting jobs, filled into its place in window
// order, take more nodes. These passes are those of Martello and Toth, "Heuristic algorithms for
// the multiple knapsack problem", Computing 27, 1981. An optimum is not guaranteed. O(slots x jobs
// + jobs^3).
class Greedy {
  public:
    void solve(const Instance& instance);

    // Nodes filled after each of the three steps of the last solution.
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
    std::vector<ProcCount> room_; // nodes left in each slot
    std::int64_t total_ = 0;
    Totals totals_{};
};

} // namespace slotwise::knapsack
