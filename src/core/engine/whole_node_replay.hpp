// Replay of jobs that take whole nodes of one type, as jobs on processors: a node is a processor.
//
// Example: 100 nodes of 128 cores. A job on 3 nodes is replayed as a job on 3 processors of a
// machine of 100, by the planners for processors.
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/prepared_site.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <optional>

namespace slotwise {

// Returns the schedule; nothing if the rules of `site`, whose completed form is `prepared`, may
// distinguish a node from a processor. Starts, flags and places equal those of PoolsPlanner.
std::optional<Schedule> replay_whole_nodes(const std::shared_ptr<const JobTable>& table,
                                           const Site& site, const PreparedSite& prepared,
                                           const Progress& progress);

} // namespace slotwise
