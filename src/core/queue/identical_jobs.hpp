// Waiting jobs that are alike, one behind the other: where the first of a row is in vain, so are
// those behind it, and nobody need look at them.
//
// Example: A, B and C wait, alike in all a planner goes by. They are one row, and A is its front. A
// starts: B is the front. D, of another size, is the front of a row of its own.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// What alike means is the planner's to say. That a row is found is not warranted, only likely: two
// rows may hold jobs alike. Memory: eight bytes for each job of the trace.
class IdenticalJobs {
  public:
    explicit IdenticalJobs(std::size_t n_jobs)
        : ahead_(n_jobs, kNoJob), behind_(n_jobs, kOutside), hints_(kHints, kNoJob) {}

    // Whether the job is in no row, or the first of one.
    bool is_front(JobId job) const { return ahead_[job] == kNoJob; }

    // The job begins to wait: behind `last` of some row for which `follows(last)`, or else as the
    // front of a row of its own; whether that. Alike jobs are of one `hash`.
    template <class Follows> bool enter(JobId job, std::uint32_t hash, Follows&& follows) {
        JobId& last = hints_[hash % kHints];
        const bool falls_in = last != kNoJob && behind_[last] == kNoJob && follows(last);
        if (falls_in) {
            behind_[last] = job;
            ahead_[job] = last;
        }
        behind_[job] = kNoJob;
        last = job;
        return !falls_in;
    }

    // The job waits no longer. If it was a front, the next of its row, which is front now; else,
    // or where there is none, kNoJob.
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
    static constexpr JobId kOutside = kNoJob - 1; // behind_: in no row
    static constexpr std::size_t kHints = std::size_t{1} << 13;

    std::vector<JobId> ahead_;  // by job; kNoJob: nobody
    std::vector<JobId> behind_; // by job
    std::vector<JobId> hints_;  // by hash: the last of a row, maybe
};

} // namespace slotwise
