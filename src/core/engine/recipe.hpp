// The recipe of a simulation: the table, the site, and everything that the user has changed.
// Replaying the recipe gives the same state again.
#pragma once

#include "engine/intervention.hpp"
#include "planner/scheduler.hpp"
#include "site/site.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace slotwise {

inline constexpr Time kNothingHandled = std::numeric_limits<Time>::min();

struct Recipe {
    std::shared_ptr<const JobTable> table;
    Site site;                              // the site before the first intervention
    std::shared_ptr<Dispatcher> dispatcher; // the first dispatcher; null: the policy decides
    std::vector<Intervention> interventions;
    Time handled = kNothingHandled; // everything up to and including this second has happened
};

} // namespace slotwise
