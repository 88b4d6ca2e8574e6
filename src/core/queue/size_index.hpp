// The waiting jobs by size. A search finds the jobs that could start now, and examines no others.
//
// Every job in the trace has a fixed position: jobs are sorted by processors, and jobs of the same
// size by rank. The position of a waiting job stores its estimated length; all other positions
// store kEmpty. Above the positions of each size is a tree of minima with sixteen children per
// node; above the sizes is another tree. A search for a job of at most p processors and at most s
// seconds examines the sizes up to p. In each size, it finds the first such job in rank order.
//
// Example: the jobs 0 (2×50), 1 (1×90), 2 (2×10) and 3 (1×20), given as rank (processors × length),
// are stored as 1 3 0 2. With 2 processors free for 30 s, both sizes have a candidate:
// first_in_size() finds job 3 in the first size and job 2 in the second.
//
// If jobs are ranked in arrival order, the waiting jobs of a size are in a narrow window of its
// positions. Only the levels that the window needs are then maintained: level k + 1 once the window
// spans more than sixteen nodes of level k. All nodes of higher levels are kEmpty.
#pragma once

#include "containers/min_tree.hpp"
#include "containers/min_tree_node.hpp"
#include "queue/distinct_sizes.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace slotwise {

class SizeIndex {
  public:
    using Position = std::uint32_t;
    using Size = std::uint32_t; // index of a distinct size, in ascending order
    static constexpr Duration kAnyLength = kMaxDuration;
    static constexpr Position kNoPosition = 0xFFFFFFFFU;

    // Requires at least one job. `rank` must be the result of static_ranks(). Takes O(n) time.
    SizeIndex(std::span<const ProcCount> processors, std::span<const JobId> rank);

    // Switches to `processors`, which must have the same values as before.
    void rebind(std::span<const ProcCount> processors) { processors_ = processors; }

    void insert(JobId job, Duration length);
    void erase(JobId job);

    // Returns the index after the last size of at most `processors` processors.
    Size sizes_up_to(ProcCount processors) const { return sizes_.up_to(processors); }

    // Returns the first size in [from, to) that has a job with a length of at most `longest`, or
    // `to` if there is none.
    Size first_size(Size from, Size to, Duration longest);

    // Calls `visit(size)` for every size in [from, to) that has a job with a length of at most
    // `longest`. May also visit sizes without such a job.
    template <class Visitor>
    void for_each_size(Size from, Size to, Duration longest, Visitor&& visit) const {
        shortest_.for_each(from, to, longest,
                           [&](std::size_t size) { visit(static_cast<Size>(size)); });
    }

    // Returns a job of `size` that ranks no later than the first one with a length of at most
    // `longest`. The size must not be empty. Takes O(1) time.
    JobId not_before(Size size, Duration longest) const {
        const Floor& floor = floors_[size];
        return longest <= floor.longest ? floor.job : job_at_[blocks_[size].low];
    }

    // Like first_in_size(), but searches from the first position of the size, and stores the result
    // for not_before().
    Position first_of(Size size, Duration longest);

    bool is_empty(Size size) const { return blocks_[size].waiting == 0; }
    ProcCount processors_of(Size size) const { return sizes_[size]; }

    // Returns the first position of `size`, at or after `from`, whose length is at most `longest`,
    // or kNoPosition if there is none.
    Position first_in_size(Size size, Position from, Duration longest) const;

    JobId job_at(Position place) const { return job_at_[place]; }
    Size size_of(JobId job) const { return sizes_.place_of(processors_[job]); }

  private:
    static constexpr std::size_t kLevels = 8;

    struct SizeBlock {
        Position begin;    // the size's first position; a multiple of sixteen
        Position low = 0;  // no position before this one is in use
        Position high = 0; // end of the positions used since the window was last empty
        std::uint32_t waiting = 0;
        std::uint32_t height = 1; // highest level that is maintained
        std::uint32_t erasures = 0;
        std::array<std::uint32_t, kLevels> base{}; // start of each level in nodes_
    };

    // Records that no waiting job with a length of at most `longest` is before `place`, which is
    // the position of `job`.
    struct Floor {
        Position place = 0;
        JobId job = 0;
        Duration longest = 0;
    };

    void lay_out(std::span<const JobId> rank);
    std::size_t nodes_between(const SizeBlock& block, std::size_t level) const;
    Duration* level_of(const SizeBlock& block, std::size_t level) {
        return nodes_[level].data() + block.base[level];
    }
    const Duration* level_of(const SizeBlock& block, std::size_t level) const {
        return nodes_[level].data() + block.base[level];
    }
    void tighten(Size size);
    void raise(SizeBlock& block);
    void lower(SizeBlock& block);
    Duration shortest_in(const SizeBlock& block) const;

    static constexpr std::uint32_t kErasuresPerTightening = 64;

    std::span<const ProcCount> processors_; // indexed by job
    bool in_arrival_order_;
    DistinctSizes sizes_;
    std::vector<SizeBlock> blocks_;            // indexed by size
    std::vector<Floor> floors_;                // indexed by size
    std::vector<Position> place_of_;           // indexed by job
    std::vector<JobId> job_at_;                // indexed by position
    std::vector<std::vector<Duration>> nodes_; // indexed by level; level 0: positions
    MinTree shortest_; // indexed by size; may be too low between a removal and the next search
};

} // namespace slotwise
