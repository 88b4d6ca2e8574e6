// Replay of jobs that take whole nodes of one type, as jobs on processors: each node counts as one
// processor.
//
// Example: on 100 nodes of 128 cores, a job on 3 nodes is replayed as a job on 3 of 100 processors,
// by the planners for processors.
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/prepared_site.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <optional>

namespace slotwise {

// Returns nothing if the rules of `site` may distinguish a node from a processor; otherwise the
// schedule. `prepared` is the completed form of `site`. Starts, flags and places equal those of
// PoolsPlanner.
std::optional<Schedule> replay_whole_nodes(const std::shared_ptr<const JobTable>& table,
                                           const Site& site, const PreparedSite& prepared,
                                           const Progress& progress);

} // namespace slotwise
