// Identical waiting jobs, grouped in rows: if the first job of a row cannot start, neither can the
// others.
//
// Example: A, B and C are waiting and are identical. They form one row with A at its front. When A
// starts, B becomes the front. D, which has another size, is the front of its own row.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// The planner decides which jobs are identical. A new job does not always find the existing row of
// its kind, so two rows may contain identical jobs. Memory: eight bytes per job in the trace.
class IdenticalJobs {
  public:
    explicit IdenticalJobs(std::size_t n_jobs)
        : ahead_(n_jobs, kNoJob), behind_(n_jobs, kOutside), hints_(kHints, kNoJob) {}

    // Returns true if the job is not in a row, or is the first job of its row.
    bool is_front(JobId job) const { return ahead_[job] == kNoJob; }

    // Adds a new waiting job. If a row is found by `hash`, and follows(last) is true for the last
    // job of that row, the new job joins it. Otherwise, the new job becomes the front of a new row,
    // and the result is true. Identical jobs must have the same `hash`.
    template <class Follows> bool enter(JobId job, std::uint32_t hash, Follows&& follows) {
        JobId& last = hints_[hash % kHints];
        const bool joins_row = last != kNoJob && behind_[last] == kNoJob && follows(last);
        if (joins_row) {
            behind_[last] = job;
            ahead_[job] = last;
        }
        behind_[job] = kNoJob;
        last = job;
        return !joins_row;
    }

    // Removes a job that is no longer waiting. If it was a front, returns the new front of its row.
    // Returns kNoJob if the row is now empty, or if the job was not a front.
    JobId leave(JobId job) {
        const JobId ahead = ahead_[job];
        const JobId behind = behind_[job];
        ahead_[job] = kNoJob;
        behind_[job] = kOutside;
        if (behind == kOutside) return kNoJob;
        if (ahead != kNoJob) behind_[ahead] = behind;
        if (behind != kNoJob) ahead_[behind] = ahead;
        return ahead == kNoJob ? behind : kNoJob;
    }

  private:
    static constexpr JobId kOutside = kNoJob - 1; // value of behind_ for a job that is in no row
    static constexpr std::size_t kHints = std::size_t{1} << 13;

    std::vector<JobId> ahead_;  // indexed by job: the job ahead of it, or kNoJob
    std::vector<JobId> behind_; // indexed by job: the job behind it, or kNoJob
    std::vector<JobId> hints_;  // indexed by hash: a job that may be the last of a row
};

} // namespace slotwise
