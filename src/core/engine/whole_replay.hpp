// A replay from beginning to end.
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "workload/job_table.hpp"

#include <memory>

namespace slotwise {

// Runs a Simulator to the end, and throws the same exceptions as the Simulator. For speed, pools
// that share nothing are replayed one after another, and jobs on whole nodes of one type are
// replayed as jobs on processors. No job starts before it is eligible.
Schedule replay(const std::shared_ptr<const JobTable>& table, const Site& site,
                const Progress& progress = {});

} // namespace slotwise
