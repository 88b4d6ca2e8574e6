// A pass of Slurm's main scheduler. Among partitions that share nodes, jobs start in strict order.
//
// The first job that does not fit closes its partition: jobs after it may not use the nodes of that
// partition. A job that reserves nothing (see SlurmRules) closes its partition only if the
// partition has fewer nodes left than the job needs. Example: there are partitions a (nodes 1-4)
// and b (nodes 3-6). A job in a does not fit. A later job in b may start only on nodes 5 and 6.
#pragma once

#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "planner/slurm/slurm_rules.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slotwise {

// The depth of a full pass.
inline constexpr std::int64_t kAnyDepth = std::numeric_limits<std::int64_t>::max();

// `queue` must be in Slurm's order. No job starts on `completing` nodes. At most `depth` + 1 jobs
// are considered, as in Slurm.
void slurm_main_pass(const SlurmCluster& cluster, const SlurmRules& rules,
                     std::span<const SlurmJob> queue, std::int64_t depth, Time now,
                     const NodeBits& completing, SlurmSearch& search, const SlurmAnswers& answers);

} // namespace slotwise
