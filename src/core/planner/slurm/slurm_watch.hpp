// After each cycle of Slurm's backfill scheduler, finds out why one job is still waiting.
//
// Example: the cycle at 30 does not reach the watched job, because bf_max_job_test jobs precede it.
// From the cycle at 60 onwards, job 7 has a plan on the nodes that the watched job would get. The
// notes are {30, untested, none} and {60, plan, 7}.
#pragma once

#include "planner/slurm/slurm_backfill.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct SlurmNote {
    enum class Why : std::uint8_t {
        untested, // the cycle did not reach the job
        nodes,    // running and completing jobs leave too few nodes
        plan      // enough nodes are free, but the plan of `job` holds some of them
    };

    Time from;
    Why why;
    JobId job; // kNoJob unless `why` is `plan`
};

class SlurmWatch {
  public:
    void watch(JobId job) { watched_ = job; }
    bool is_on() const { return watched_ != kNoJob; }

    // Records why the watched job still waits after the cycle at `now`, if the reason has changed.
    // Does not change `search`.
    void follow(const SlurmCluster& cluster, const SlurmBackfill& backfill,
                std::span<const SlurmJob> queue, Time now, SlurmSearch& search);

    // Returns the notes in chronological order. Consecutive notes differ.
    const std::vector<SlurmNote>& notes() const { return notes_; }

  private:
    SlurmNote reason(const SlurmCluster& cluster, const SlurmBackfill& backfill,
                     std::span<const SlurmJob> queue, std::size_t at, Time now,
                     SlurmSearch& search) const;

    JobId watched_ = kNoJob;
    std::vector<SlurmNote> notes_;
};

} // namespace slotwise
