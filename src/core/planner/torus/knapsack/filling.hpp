// How much of some slots some jobs can fill at most, whichever goes where.
//
// Example: jobs of 6, 4, 3, 2 and 1 and slots of 3, 6 and 6. The largest goes first, into the
// tightest slot it fits: 6 fills a slot exactly, so that no other place for it is better; 4, 3 and
// 2 follow into 6, 3 and 6. All 15 nodes are filled, and the search ends.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise::knapsack {

// Branch and bound by size, exact; exponential in the number of jobs in the worst case. Keeps its
// memory from one call to the next.
class Filling {
  public:
    // The most nodes that jobs of `sizes`, descending, fill of slots with so much room, where that
    // is more than `floor`; otherwise `floor`. May stop at the first filling of `goal` or more.
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
    std::vector<std::int64_t> demand_; // of each job and those after it
    ProcCount largest_ = 0;            // of the rooms, to begin with
    std::int64_t best_ = 0;
    std::int64_t goal_ = 0;
    std::size_t nodes_ = 0;

    // What only a search that proves long pays for: the totals that each job and those after it can
    // have, as bits, and where it has been last.
    static constexpr std::size_t kShort = 64; // nodes
    static constexpr std::size_t kMostWords = std::size_t{1} << 20;
    static constexpr std::size_t kVisits = 4096;
    bool is_long_ = false;
    std::size_t words_ = 0; // of each job's totals; 0: they would be too many
    std::vector<std::uint64_t> totals_;
    std::uint32_t call_ = 0;
    std::vector<Visit> visits_;
    std::vector<ProcCount> visited_; // the rooms of each visit
    std::vector<ProcCount> reached_;
};

} // namespace slotwise::knapsack
