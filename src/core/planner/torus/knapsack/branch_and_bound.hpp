// The window's knapsacks filled as far as they can be, by the first of the best assignments.
//
// The search of the paper's text goes depth first: jobs in window order, each into the slots it
// fits in index order, then left out; what remains can fill no more than min(demand, capacity) of
// those that remain; a later assignment counts only if it fills more. (The paper's Algorithm 1
// keeps its nodes on a heap, best first, which contradicts its text and Figure 3.) Its answer is
// the first of all best assignments, where those are compared job by job in window order and a job
// left out counts as behind the last slot.
//
// Figure 4 (assignment.hpp): A is in slot 1 and B in slot 2, the first that have room. With C in
// slot 0 and D in 2 there is a node left and no place for E: 14. D out, E in 2: 15, which is the
// capacity, and nothing is to be gained by going on.
#pragma once

#include "planner/torus/knapsack/assignment.hpp"
#include "planner/torus/knapsack/filling.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise::knapsack {

// Finds that first of the best without walking the tree of the paper, whose nodes are (slots +
// 1)^jobs: how much can be filled at all does not depend on the order of jobs and slots, so Filling
// asks for that first. Then each job in window order is given the first slot with which as much can
// still be filled, which never has to be taken back. Of the slots as many as there are jobs, the
// largest, fill as much as all do: a job in another slot could move to one of those left over.
// Keeps its memory from one call to the next.
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
    std::vector<ProcCount> room_;        // left in each slot
    std::int64_t left_ = 0;              // still to be filled
    std::vector<std::uint32_t> by_size_; // the jobs, largest first
    std::vector<ProcCount> sizes_;       // what Filling is asked about
    std::vector<ProcCount> rooms_;
    std::vector<ProcCount> in_vain_; // room with which a slot was not the place
    Filling filling_;
};

} // namespace slotwise::knapsack
