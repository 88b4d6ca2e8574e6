// A long queue in order, as rows of one job class each. The fronts of the rows lie in a grid of
// sizes by lengths, so that the first job that fits is found without examining the others.
//
// Example: sizes 1, 2 and 4, lengths 60 and 300 s. Waiting jobs by rank: 5 (4 × 60), 6 (1 × 300), 7
// (2 × 60), 8 (1 × 60), 9 (1 × 60). The grid of fronts, with the minima of each length over all
// sizes below it:
//
//     size   60  300
//        1    8    6
//        2    7    -
//        4    5    -
//             5    6
//
// With 2 processors free for 100 s, the result is 7, the minimum of the first two lines up to 60 s.
// One line of the next level holds the minima of eight lines, and so on. A search of the first
// eleven sizes therefore reads lines 8 to 10, and line 0 of level 1. Each line begins with the
// minima of every sixteen lengths.
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
    // Ranks are below the number of jobs in these columns. O(n).
    JobClassGrid(std::span<const ProcCount> processors, std::span<const Duration> lengths);

    // True if there are few enough sizes and lengths for the number of jobs. Otherwise the grid
    // holds no jobs.
    bool fits() const { return !levels_.empty(); }

    // Returns false, without any change, if `rank` precedes the last of its class.
    bool insert(JobId rank, ProcCount processors, Duration length);

    // Removes a waiting job; the values are those of its insertion.
    void erase(JobId rank, ProcCount processors, Duration length);

    // Least rank of the jobs within `bounds`, or kNoJob.
    JobId first(const BackfillBounds& bounds) const;

  private:
    using Rank = SixteenMinima::Value; // kLowest or more
    static constexpr Rank kNone = SixteenMinima::kNone;

    struct alignas(64) Block { // one cache line
        std::array<Rank, 16> ranks;
    };
    struct Level {
        std::vector<Block> blocks; // blocks of all lines, one after another
        std::vector<Rank> least;   // one per line

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
    std::vector<std::uint32_t> hints_; // by hash of a length: its likely index

    std::vector<Level> levels_; // the fronts first
    std::size_t width_ = 0;     // width of a line, without its minima
    std::size_t blocks_ = 0;    // number of minima of a line
    std::vector<JobId> back_;   // last job by size and length, if there is a front
    BlockColumn<JobId> behind_; // by rank: the next of its class, or kNoJob
};

} // namespace slotwise
