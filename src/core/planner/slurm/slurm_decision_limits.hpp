// The limits on running jobs that apply to a single decision by Slurm. Jobs are counted as in a
// replay.
//
// Example: the limit is one running job per user, and user 1 has a running job. Other jobs of user
// 1 are held back. Once the decision starts a job of user 2, jobs of user 2 are held back as well.
#pragma once

#include "admission/limit_counts.hpp"
#include "machine/nodes/nodes.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class SlurmDecisionLimits {
  public:
    // A job that counts towards limits, with the amounts that it requests.
    struct Counted {
        Owner owner;
        ProcCount processors = 0;
        UnitDemand demand;
    };

    // `jobs` has one entry per job number. Jobs in a partition must obey both the limits of the
    // site and those of the queue that the partition represents.
    SlurmDecisionLimits(const Limits& of_site, std::span<const Queue> queues,
                        std::vector<Counted> jobs);

    // Returns true if a limit prevents the job from starting now.
    bool holds_back(JobId job, std::uint32_t partition) const;
    // Returns true if the limits on nodes allow the job to use this number of nodes.
    bool allows_on(JobId job, std::uint32_t partition, std::size_t n_nodes) const;
    // Counts a job that runs on this number of nodes.
    void note_started(JobId job, std::uint32_t partition, std::size_t n_nodes);

  private:
    JobUse use_of(JobId job) const;

    LimitCounts of_site_;
    std::vector<LimitCounts> of_partitions_;
    std::vector<Counted> jobs_; // indexed by job number
};

} // namespace slotwise
