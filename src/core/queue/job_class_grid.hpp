// A long queue in order, as rows of jobs alike in processors and length, the rows' fronts lying in
// a grid of sizes by lengths: who comes first of all there is room for is found without looking at
// the others, however many.
//
// Example: sizes 1, 2 and 4, lengths 60 and 300 s. Waiting, by rank: 5 (4 × 60), 6 (1 × 300), 7 (2
// × 60), 8 (1 × 60), 9 (1 × 60). The fronts, and below them the minima of each length over all
// sizes:
//
//     size   60  300
//        1    8    6
//        2    7    -
//        4    5    -
//             5    6
//
// Where 2 processors are free for 100 s, the least of the first two lines up to 60 s is asked: 7.
// Eight lines have their minima in a line of the level above, and so on: for the first eleven sizes
// lines 8 to 10 are looked at, and line 0 of level 1. A line begins with the minima of each sixteen
// lengths.
#pragma once

#include "availability/backfill_bounds.hpp"
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
    // For jobs of these columns; ranks are below their number. O(n).
    JobClassGrid(std::span<const ProcCount> processors, std::span<const Duration> lengths);

    // Whether there are few enough sizes and lengths for so many jobs; otherwise it holds none.
    bool fits() const { return !levels_.empty(); }

    // False, and nothing is changed, where `rank` precedes the last of those alike.
    bool insert(JobId rank, ProcCount processors, Duration length);

    // Takes out a job that waits here, given what it was inserted with.
    void erase(JobId rank, ProcCount processors, Duration length);

    // The least rank of those there is room for, or kNoJob.
    JobId first(const BackfillBounds& bounds) const;

  private:
    using Rank = SixteenMinima::Value; // from kLowest on
    static constexpr Rank kNone = SixteenMinima::kNone;

    struct alignas(64) Block { // a line of the cache
        std::array<Rank, 16> ranks;
    };
    struct Level {
        std::vector<Block> blocks; // of one line after the other
        std::vector<Rank> least;   // of each line

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
    std::vector<std::uint32_t> hints_; // by a hash of a length: where it lies, maybe

    std::vector<Level> levels_; // the fronts first
    std::size_t width_ = 0;     // of a line, without its minima
    std::size_t blocks_ = 0;    // these minima
    std::vector<JobId> back_;   // by size and length, where there is a front
    std::vector<JobId> behind_; // by rank: the next alike, or kNoJob
};

} // namespace slotwise
