// One decision of Slurm on a given state, outside a replay.
#pragma once

#include "planner/slurm/nodes/slurm_cluster.hpp"
#include "planner/slurm/slurm_backfill.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

struct SlurmState {
    struct Running {
        JobId job;
        Time end; // time at which it reaches its limit
        std::vector<std::int32_t> nodes;
        std::vector<Amounts> shares; // share on each node
    };

    SlurmCluster cluster; // includes the partitions
    SlurmRules rules;
    Time now;
    std::vector<Running> running; // of equal ends, that of the lowest-numbered job comes first
    NodeBits completing;
    std::vector<SlurmRequest> requests;
    std::vector<SlurmJob> waiting;         // SlurmJob::job breaks ties of submit times
    std::vector<std::int32_t> gpu_weights; // SlurmGpuWeights after the last decision; empty: none
    std::vector<std::size_t> submitted;    // positions in `waiting`: submitted since then
};

struct SlurmDecision {
    std::vector<SlurmStart> starts; // SlurmStart::position is in SlurmState::waiting
    std::vector<SlurmBackfill::Plan> plans;
    std::vector<std::int32_t> gpu_weights; // SlurmGpuWeights after this decision
};

// One backfill cycle, at any time. Jobs beyond the limits of their partition are excluded.
SlurmDecision slurm_backfill_decision(const SlurmState& state);

// One pass of the main scheduler over `depth` jobs; 0: all.
SlurmDecision slurm_main_decision(const SlurmState& state, std::int64_t depth);

} // namespace slotwise
