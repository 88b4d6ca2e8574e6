// The window's knapsacks filled by a rule of thumb: each slot in turn takes, in window order, what
// still fits; then jobs change places where that lets one more in.
//
// Figure 4 (assignment.hpp): slot 0 takes C, slot 1 A, slot 2 B and D, which leaves a node: 14. No
// two jobs can change places so that E gets in: still 14. E in D's stead fills that node: 15.
#pragma once

#include "planner/torus/knapsack/assignment.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise::knapsack {

// Algorithm 3 of the paper, for every slot in position order; then one sweep over the pairs of
// placed jobs of different slots, by window position, which change places where both fit and a
// waiting job then fits beside the smaller: the first such, in window order; then one sweep over
// the placed jobs, in window order, each of which gives way where waiting jobs, filled into its
// place in window order, are more nodes than it. The sweeps are those of Martello and Toth,
// "Heuristic algorithms for the multiple knapsack problem", Computing 27, 1981. No optimum is
// promised. O(slots x jobs + jobs^3).
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
    std::vector<ProcCount> room_; // left in each slot
    std::int64_t total_ = 0;
    Totals totals_{};
};

} // namespace slotwise::knapsack
