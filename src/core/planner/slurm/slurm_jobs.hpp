// Data of waiting jobs that Slurm's schedulers read, and the starts that they decide.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

struct SlurmJob {
    JobId job;
    std::uint32_t request; // position in the list of requests
    std::uint32_t partition;
    std::int32_t user;
    Time limit; // in seconds, a whole number of minutes
    Time submit;
    double priority;
};

// Slurm's order: tier of the partition, priority, submit time, job.
inline bool precedes(const SlurmCluster& cluster, const SlurmJob& a, const SlurmJob& b) {
    const std::int64_t tier_a = cluster.partitions[a.partition].tier;
    const std::int64_t tier_b = cluster.partitions[b.partition].tier;
    if (tier_a != tier_b) return tier_a > tier_b;
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.submit != b.submit ? a.submit < b.submit : a.job < b.job;
}

// A start that a scheduler has decided: its nodes, and the units on each.
struct SlurmStart {
    std::size_t position; // position in the given queue
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> units;
};

} // namespace slotwise
