// Finds the largest number of nodes that given jobs can fill in given slots, in any arrangement.
//
// Example: there are jobs of 6, 4, 3, 2 and 1 nodes and slots of 3, 6 and 6 nodes. The largest job
// comes first and is put into the smallest slot that can hold it. It fills this slot exactly, so no
// other slot can be better. The jobs of 4, 3 and 2 nodes follow, in slots of 6, 3 and 6 nodes. All
// 15 nodes are now filled, and the search ends.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise::knapsack {

// An exact branch-and-bound search over jobs in descending order of size. In the worst case, it
// takes time exponential in the number of jobs. Memory is reused between calls.
class Filling {
  public:
    // Returns the largest number of nodes that the jobs can fill in slots with `rooms`, or `floor`
    // if that is larger. `sizes` are the sizes of the jobs, in descending order. May stop as
    // soon as at least `goal` nodes are filled.
    std::int64_t most(std::span<const ProcCount> sizes, std::span<const ProcCount> rooms,
                      std::int64_t floor, std::int64_t goal);

  private:
    struct Visit {
        std::uint32_t call = 0;
        std::uint32_t job = 0;
        std::int64_t filled = 0;
        bool operator==(const Visit&) const = default;
    };

    void place_from(std::size_t job, std::int64_t filled);
    void place(std::size_t job, std::int64_t filled);
    std::size_t tightest_above(ProcCount room) const;
    std::int64_t bound(std::size_t job) const;
    ProcCount reach(std::size_t job, ProcCount room) const;
    void prepare_for_length();
    void find_totals(std::size_t words);
    bool was_here(std::size_t job, std::int64_t filled);

    std::span<const ProcCount> sizes_;
    std::vector<ProcCount> rooms_;
    std::vector<std::int64_t> demand_; // total size of each job and all later ones
    ProcCount largest_ = 0;            // size of the largest slot before any job is placed
    std::int64_t best_ = 0;
    std::int64_t goal_ = 0;
    std::size_t nodes_ = 0;

    // The following members are used only in long searches, because setting them up takes time.
    // They store the latest visits and, as bit sets, the totals that each job and all later ones
    // can reach.
    static constexpr std::size_t kShort = 64; // searches with fewer search nodes are short
    static constexpr std::size_t kMostWords = std::size_t{1} << 20;
    static constexpr std::size_t kVisits = 4096;
    bool is_long_ = false;
    std::size_t words_ = 0; // number of words per job; 0 if there are too many to store
    std::vector<std::uint64_t> totals_;
    std::uint32_t call_ = 0;
    std::vector<Visit> visits_;
    std::vector<ProcCount> visited_; // values of reach() at each visit, sorted
    std::vector<ProcCount> reached_;
};

} // namespace slotwise::knapsack
