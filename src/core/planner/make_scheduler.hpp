// The only code that chooses a planner.
#pragma once

#include "planner/scheduler.hpp"

#include <memory>

namespace slotwise {

// Makes the planner for the policy, machine and site of `context`, or one that calls a clone of
// `dispatcher`. Throws std::invalid_argument for an unknown backfill.
std::unique_ptr<Scheduler> make_scheduler(const ReplayContext& context,
                                          const std::shared_ptr<Dispatcher>& dispatcher = {});

} // namespace slotwise
