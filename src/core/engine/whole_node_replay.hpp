// Replays jobs that take whole nodes of one type as if they were jobs on processors: each node
// counts as one processor.
//
// Example: on a machine with 100 nodes of 128 cores, a job that needs 3 nodes is replayed as a job
// on 3 of 100 processors, with the planners for processors.
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/prepared_site.hpp"
#include "workload/job_table.hpp"

#include <memory>
#include <optional>

namespace slotwise {

// Returns the schedule, or nullopt if the rules of `site` may treat a node differently from a
// processor. `prepared` is the same site after preparation. The starts, backfilled flags and places
// are those that PoolsPlanner would produce.
std::optional<Schedule> replay_whole_nodes(const std::shared_ptr<const JobTable>& table,
                                           const Site& site, const PreparedSite& prepared,
                                           const Progress& progress);

} // namespace slotwise
