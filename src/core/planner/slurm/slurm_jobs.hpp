// Data of waiting jobs that Slurm's schedulers read, and the starts that they decide.
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
    Time limit; // seconds; whole minutes
    Time submit;
    Time eligible; // submitted, and its dependencies met; its age counts from then on
    double priority;
};

// The order of Slurm: tier of the partition, priority, submit time, job.
inline bool precedes(const SlurmCluster& cluster, const SlurmJob& a, const SlurmJob& b) {
    const std::int64_t tier_a = cluster.partitions[a.partition].tier;
    const std::int64_t tier_b = cluster.partitions[b.partition].tier;
    if (tier_a != tier_b) return tier_a > tier_b;
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.submit != b.submit ? a.submit < b.submit : a.job < b.job;
}

// A start that a scheduler has decided: its nodes, and the units on each.
struct SlurmStart {
    std::size_t position; // in the queue given
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> units;
};

// Answers to the questions of a scheduler during one of its runs.
struct SlurmAnswers {
    // Makes the job run before it returns, unless a limit on nodes forbids these nodes. Then the
    // scheduler passes over the job.
    std::function<void(SlurmStart)> start;
    // True if a limit keeps the job from starting; empty if there are no limits.
    std::function<bool(const SlurmJob&)> holds_back = {};

    bool is_held_back(const SlurmJob& job) const { return holds_back && holds_back(job); }
};

} // namespace slotwise
