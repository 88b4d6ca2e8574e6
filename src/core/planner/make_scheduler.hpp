// Chooses the planner for a replay. This is the only code that does so.
#pragma once

#include "planner/scheduler.hpp"

#include <memory>

namespace slotwise {

// Creates the planner for the policy, machine and site of `context`. If `dispatcher` is not null,
// the planner calls a clone of it. Throws std::invalid_argument if the backfill rule is unknown.
std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher = {});

} // namespace slotwise
