// One pass of Slurm's main scheduler, in strict order among partitions that share nodes.
//
// The first job that does not fit closes its partition. Jobs behind it may not use the nodes of
// that partition. A job that reserves nothing (SlurmRules) closes its partition only if the nodes
// that are left to the partition are fewer than the job needs.
// Example: partitions a (nodes 1-4) and b (nodes 3-6). A job of a does not fit. A job of b behind
// it may start only on nodes 5 and 6.
#pragma once

#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// `queue` is in order; no job starts on `completing` nodes. `depth`: jobs considered; 0: all.
void slurm_main_pass(const SlurmCluster& cluster, const SlurmRules& rules,
                     std::span<const SlurmJob> queue, std::int64_t depth, Time now,
                     const NodeBits& completing, SlurmSearch& search, const SlurmAnswers& answers);

} // namespace slotwise
