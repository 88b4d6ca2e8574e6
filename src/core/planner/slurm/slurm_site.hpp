// The cluster and the requests of a site's jobs, as Slurm's schedulers see them.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "planner/slurm/slurm_rules.hpp"
#include "replay/context.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Immutable once made. Jobs that ask the same of one kind of partition share a request.
struct SlurmSite {
    SlurmSite(const Site& site, const Routing* routing, const ReplayJobs& jobs,
              const SlurmRules& rules);

    SlurmCluster cluster;
    std::vector<SlurmRequest> requests;
    std::vector<std::uint32_t> request_of;   // by job
    std::vector<std::uint32_t> partition_of; // by job

    // The limit of its partition that keeps a job from ever starting.
    enum class Exceeded : std::uint8_t { none, max_time, max_nodes };
    Exceeded exceeded(JobId job, Time limit) const;
    bool may_start(JobId job, Time limit) const { return exceeded(job, limit) == Exceeded::none; }

  private:
    void add_partitions(const Site& site, const SlurmRules& rules);
    void add_requests(const JobDemands& demands, std::size_t n_jobs);
};

// One partition of a queue on a machine of nodes.
SlurmPartition partition_of_queue(const Queue& queue, std::int32_t n_nodes, bool linear);

} // namespace slotwise
