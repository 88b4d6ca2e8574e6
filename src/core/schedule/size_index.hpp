// Waiting jobs by size, to find those that could start now without looking at the others.
//
// Every job of the trace has a fixed place: jobs sorted by processors, jobs of one size by rank. A waiting job's place
// holds its length (what is believed of its run time), an empty place kEmpty, and above them lies a tree of minima, 16 to
// a node. So "is there a job of at most a processors and at most b seconds" is the minimum of a prefix, and the first
// place found in a size's range is the first of that size in rank order.
//
// Example: jobs (rank: processors × length) 0: 2×50, 1: 1×90, 2: 2×10, 3: 1×20 lie as 1 3 | 0 2. With 2 processors free for
// 30 s, first(0, 4, 30) is the place of job 3; behind its size's range, first(2, 4, 30) is that of job 2.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace slotwise {

class SizeIndex {
  public:
    using Place = std::uint32_t;
    static constexpr Duration kAnyLength = kMaxDuration;

    // At least one job; `rank` as static_ranks gives it. O(n).
    SizeIndex(std::span<const ProcCount> processors, std::span<const JobId> rank);

    void insert(JobId job, Duration length);
    void erase(JobId job);

    // The first place in [from, to) holding a length of at most `longest`, or `to`.
    Place first(Place from, Place to, Duration longest) const;

    // Places of jobs of at most `processors` lie below this one.
    Place end_of_sizes(ProcCount processors) const;

    JobId job_at(Place place) const { return job_at_[place]; }
    Place place_of(JobId job) const { return place_of_[job]; }

  private:
    void collect_sizes(std::span<const ProcCount> processors);
    std::size_t size_of(ProcCount processors) const;

    static constexpr Duration kEmpty = kMaxDuration + 1;
    static constexpr std::size_t kFanout = 16;

    static constexpr ProcCount kWidestTable = 1 << 20;

    std::vector<ProcCount> sizes_;                 // distinct, ascending
    std::vector<std::uint32_t> size_at_or_below_;  // by processors; empty where one is above kWidestTable
    std::vector<Place> end_of_size_;               // beside sizes_
    std::vector<Place> place_of_;                  // by job
    std::vector<JobId> job_at_;                    // by place
    std::vector<std::vector<Duration>> levels_;  // minima, finest first, padded to whole nodes
};

}  // namespace slotwise
