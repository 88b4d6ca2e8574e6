// A single decision by Slurm on a given state, outside a replay.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "planner/slurm/slurm_backfill.hpp"
#include "planner/slurm/slurm_decision_limits.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace slotwise {

struct SlurmState {
    struct Running {
        JobId job;
        std::uint32_t partition;
        Time end; // time at which the job reaches its limit
        std::vector<std::int32_t> nodes;
        std::vector<Amounts> shares; // amounts taken on each node
    };

    SlurmCluster cluster; // includes the partitions
    SlurmRules rules;
    Time now;
    std::vector<Running> running; // jobs with equal ends are taken to end in order of number
    NodeBits completing;
    std::vector<SlurmRequest> requests;
    std::vector<SlurmJob> waiting; // SlurmJob::job is used to break ties between submit times
    // SlurmGpuWeights after the last decision; empty if there are none.
    std::vector<std::int32_t> gpu_weights;
    // Positions in `waiting` of the jobs submitted after the last decision.
    std::vector<std::size_t> submitted;
    // The limits, before any running job has been counted; empty if there are no limits.
    std::optional<SlurmDecisionLimits> limits;
};

struct SlurmDecision {
    std::vector<SlurmStart> starts; // SlurmStart::position is a position in SlurmState::waiting
    std::vector<SlurmBackfill::Plan> plans;
    std::vector<std::int32_t> gpu_weights; // SlurmGpuWeights after this decision
};

// Runs one backfill cycle. Jobs that exceed the limits of their partition are excluded.
SlurmDecision slurm_backfill_decision(const SlurmState& state);

// Runs one pass of the main scheduler. The pass considers at most `depth` + 1 jobs.
SlurmDecision slurm_main_decision(const SlurmState& state, std::int64_t depth);

} // namespace slotwise
