// An exact solver for the window's knapsack problem. It finds the first of the best assignments.
//
// The search described in the paper's text is depth first. It takes the jobs in window order. It
// tries each job in every slot with room for it, in order of index, and finally leaves the job out.
// The search is bounded: the remaining jobs can fill neither more nodes than they request nor more
// than are free. An assignment replaces an earlier one only if it fills more nodes. (The paper's
// Algorithm 1 keeps its search nodes on a heap, best first, which contradicts its text and Figure
// 3.) If several assignments are equally good, they are compared job by job in window order, and
// the one that uses the lower slot index at the first difference wins. A job that is left out
// counts as placed after the last slot.
//
// Example (Figure 4, assignment.hpp): A is put into slot 1 and B into slot 2, the first slots with
// room for them. With C in slot 0 and D in slot 2, one node remains and E does not fit: the total
// is 14. With D left out and E in slot 2 the total is 15, which is the capacity, so the search
// ends.
#pragma once

#include "planner/torus/knapsack/assignment.hpp"
#include "planner/torus/knapsack/filling.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise::knapsack {

// Finds the same assignment as the search described in the paper, but without traversing its tree,
// which has (slots + 1)^jobs nodes. The number of nodes that can be filled does not depend on the
// order of jobs and slots, so Filling determines it first. Then each job, in window order, takes
// the first slot that still allows that number to be reached; no choice is ever undone. If there
// are n jobs and more than n slots, the n largest slots are enough: if a job is in another slot,
// one of the n largest is unused and has room for it. Memory is reused between calls.
class BranchAndBound {
  public:
    void solve(const Instance& instance);

  private:
    std::int64_t take_first_places();
    std::int64_t bound() const;
    void begin_again();
    void place(std::size_t job);
    std::int64_t most_from(std::size_t job, std::int64_t floor, std::int64_t goal);

    Instance of_;
    std::vector<ProcCount> room_;        // number of nodes left in each slot
    std::int64_t left_ = 0;              // number of nodes still to be filled
    std::vector<std::uint32_t> by_size_; // the jobs, largest first
    std::vector<ProcCount> sizes_;       // input of Filling
    std::vector<ProcCount> rooms_;
    std::vector<ProcCount> failed_; // room in the slots that were tried without success
    Filling filling_;
};

} // namespace slotwise::knapsack
