// A long queue, stored as one list per job class, sorted by rank. The fronts of the lists are in a
// grid of sizes by lengths, so that the first job that fits is found without examining the others.
//
// Example: there are sizes 1, 2 and 4, and lengths 60 and 300 s. The waiting jobs, by rank, are 5
// (4 × 60), 6 (1 × 300), 7 (2 × 60), 8 (1 × 60) and 9 (1 × 60). The following grid contains the
// fronts; its last line contains the minimum for each length over all sizes:
//     size   60  300
//        1    8    6
//        2    7    -
//        4    5    -
//             5    6
//
// With 2 processors free for 100 s, the result is 7, the minimum of the first two lines in the
// column for 60 s. Each line of the next level contains the minima of eight lines, and so on. A
// search of the first eleven sizes therefore reads lines 8 to 10 of the grid, and line 0 of the
// next level. Each line begins with the minima of every group of sixteen lengths.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "containers/block_column.hpp"
#include "queue/distinct_sizes.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class JobClassGrid {
  public:
    // Ranks must be below the number of jobs in these columns. Takes O(n) time.
    JobClassGrid(std::span<const ProcCount> processors, std::span<const Duration> lengths);

    // Returns true if the number of sizes and lengths is small enough for the number of jobs.
    // Otherwise the grid cannot store any jobs.
    bool fits() const { return !levels_.empty(); }

    // Inserts a waiting job. If the job ranks before the last job of its class, returns false and
    // changes nothing.
    bool insert(JobId rank, ProcCount processors, Duration length);

    // Removes a waiting job. The values must be the same as when it was inserted.
    void erase(JobId rank, ProcCount processors, Duration length);

    // Returns the smallest rank of the jobs within `bounds`, or kNoJob if there is none.
    JobId first(const BackfillBounds& bounds) const;

  private:
    using Rank = SixteenMinima::Value; // at least kLowest
    static constexpr Rank kNone = SixteenMinima::kNone;

    struct alignas(64) Block { // one cache line
        std::array<Rank, 16> ranks;
    };
    struct Level {
        std::vector<Block> blocks; // blocks of all lines, one after another
        std::vector<Rank> least;   // one element per line

        Rank* lines() { return blocks.data()->ranks.data(); }
        const Rank* lines() const { return blocks.data()->ranks.data(); }
    };

    std::size_t lengths_up_to(Duration length) const;
    std::size_t length_at(Duration length);
    void set_front(std::size_t size, std::size_t length, Rank rank);
    void set(Level& level, std::size_t line, std::size_t length, Rank rank);
    Rank least_of(std::size_t sizes) const;
    Rank least_of(std::size_t sizes, std::size_t lengths) const;

    DistinctSizes sizes_;
    std::vector<Duration> lengths_;    // distinct, ascending
    std::vector<std::uint32_t> hints_; // likely index of a length, by its hash

    std::vector<Level> levels_; // the fronts are the first level
    std::size_t width_ = 0;     // width of a line, without its minima
    std::size_t blocks_ = 0;    // number of minima in a line
    std::vector<JobId> back_;   // last waiting job of each size and length, if there is one
    BlockColumn<JobId> behind_; // indexed by rank: the next job of its class, or kNoJob
};

} // namespace slotwise
