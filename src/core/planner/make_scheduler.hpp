// Chooses the planner for a replay. This is the only code that does so.
#pragma once

#include "planner/scheduler.hpp"

#include <memory>

namespace slotwise {

// Creates the planner for the policy, machine and site of `context`, or one that calls a clone of
// `dispatcher`. Throws std::invalid_argument if the backfill rule is unknown.
std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher = {});

} // namespace slotwise
