// A replay from beginning to end.
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "workload/job_table.hpp"

#include <memory>

namespace slotwise {

// What Simulator does when it runs to the end; throws what it throws. Where pools share nothing,
// each is replayed by itself, which is faster. No job starts before it is eligible.
Schedule replay(const std::shared_ptr<const JobTable>& table, const Site& site,
                const Progress& progress = {});

} // namespace slotwise
