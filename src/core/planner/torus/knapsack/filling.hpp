// The most nodes of some slots that some jobs can fill, in any arrangement.
//
// Example: jobs of 6, 4, 3, 2 and 1 and slots of 3, 6 and 6. The largest job goes first, into the
// tightest slot that holds it: 6 fills a slot exactly, so no other slot can be better. 4, 3 and 2
// follow into slots of 6, 3 and 6. All 15 nodes are filled, and the search ends.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise::knapsack {

// Exact branch and bound by size; exponential in the number of jobs at worst. Memory is reused
// between calls.
class Filling {
  public:
    // Returns the most nodes that jobs of `sizes`, descending, fill in slots with `rooms`, if more
    // than `floor`; otherwise `floor`. May stop at the first filling of `goal` or more.
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
    ProcCount largest_ = 0;            // largest room at the start
    std::int64_t best_ = 0;
    std::int64_t goal_ = 0;
    std::size_t nodes_ = 0;

    // Memory that is worth its cost only in long searches: the totals, as bits, that each job and
    // later ones can reach, and the last visits.
    static constexpr std::size_t kShort = 64; // nodes
    static constexpr std::size_t kMostWords = std::size_t{1} << 20;
    static constexpr std::size_t kVisits = 4096;
    bool is_long_ = false;
    std::size_t words_ = 0; // per job; 0: too many to store
    std::vector<std::uint64_t> totals_;
    std::uint32_t call_ = 0;
    std::vector<Visit> visits_;
    std::vector<ProcCount> visited_; // rooms of each visit
    std::vector<ProcCount> reached_;
};

} // namespace slotwise::knapsack
