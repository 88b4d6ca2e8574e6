// The cluster and the requests of a site's jobs, in the form that Slurm's schedulers read.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "planner/slurm/slurm_rules.hpp"
#include "replay/context.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Immutable once built. Jobs with equal demands share a request if their partitions all allocate
// whole nodes, or if none of them does.
struct SlurmSite {
    SlurmSite(const Site& site, const Routing* routing, const ReplayJobs& jobs,
              const SlurmRules& rules);

    SlurmCluster cluster;
    std::vector<SlurmRequest> requests;
    std::vector<std::uint32_t> request_of;   // indexed by job
    std::vector<std::uint32_t> partition_of; // indexed by job

    // Returns the partition limit, if any, that prevents the job from ever starting.
    Exceeded exceeded(JobId job, Time limit) const;
    bool may_start(JobId job, Time limit) const { return exceeded(job, limit) == Exceeded::none; }

  private:
    void add_partitions(const Site& site, const SlurmRules& rules);
    void add_requests(const JobDemands& demands, std::size_t n_jobs);
};

// Returns the partition that represents a queue on a machine with nodes.
SlurmPartition partition_of_queue(const Queue& queue, std::int32_t n_nodes, bool linear);

} // namespace slotwise
