// The data that Slurm's schedulers read about waiting jobs, and the starts that they decide on.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace slotwise {

struct SlurmJob {
    JobId job;
    std::uint32_t request; // position in the list of requests
    std::uint32_t partition;
    std::int32_t user;
    Time limit; // in seconds, a whole number of minutes
    Time submit;
    Time eligible; // first time with all dependencies met; the job's age counts from then
    double priority;
};

// Compares jobs in Slurm's order: tier of the partition, priority, submit time, job number.
inline bool precedes(const SlurmCluster& cluster, const SlurmJob& a, const SlurmJob& b) {
    const std::int64_t tier_a = cluster.partitions[a.partition].tier;
    const std::int64_t tier_b = cluster.partitions[b.partition].tier;
    if (tier_a != tier_b) return tier_a > tier_b;
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.submit != b.submit ? a.submit < b.submit : a.job < b.job;
}

// A start that a scheduler has decided on: the nodes, and the number of units on each.
struct SlurmStart {
    std::size_t position; // position in the queue that was passed to the scheduler
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> units;
};

// Functions that a scheduler calls during one of its runs.
struct SlurmAnswers {
    // Starts the job at once. If a limit on nodes forbids the use of these nodes, the job does not
    // start, and the scheduler skips it.
    std::function<void(SlurmStart)> start;
    // Returns true if a limit prevents the job from starting. The function is empty if there are no
    // limits.
    std::function<bool(const SlurmJob&)> holds_back = {};

    bool is_held_back(const SlurmJob& job) const { return holds_back && holds_back(job); }
};

} // namespace slotwise
