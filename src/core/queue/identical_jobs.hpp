// Identical waiting jobs, grouped in rows: if the first of a row cannot start, neither can the
// rest.
//
// Example: A, B and C wait and are identical. They form one row with front A. When A starts, B
// becomes the front. D, of another size, is the front of its own row.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// The planner defines which jobs are identical. Finding the row of a job is likely, not guaranteed:
// two rows may hold identical jobs. Memory: eight bytes per job of the trace.
class IdenticalJobs {
  public:
    explicit IdenticalJobs(std::size_t n_jobs)
        : ahead_(n_jobs, kNoJob), behind_(n_jobs, kOutside), hints_(kHints, kNoJob) {}

    // True if the job is in no row, or the first of one.
    bool is_front(JobId job) const { return ahead_[job] == kNoJob; }

    // Adds a job that begins to wait. It joins the row whose `last` job satisfies `follows(last)`;
    // otherwise it opens a new row as its front. Returns true if it is a front. Identical jobs have
    // the same `hash`.
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

    // Removes a job that no longer waits. If it was a front, returns the new front of its row.
    // Returns kNoJob if the row is empty or the job was not a front.
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
    static constexpr JobId kOutside = kNoJob - 1; // value of behind_ for a job in no row
    static constexpr std::size_t kHints = std::size_t{1} << 13;

    std::vector<JobId> ahead_;  // by job; kNoJob: none
    std::vector<JobId> behind_; // indexed by job
    std::vector<JobId> hints_;  // by hash: a job that may be the last of a row
};

} // namespace slotwise
