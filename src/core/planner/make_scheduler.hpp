// The scheduler of a site that is not plain.
#pragma once

#include "admission/routing.hpp"
#include "planner/scheduler.hpp"

#include <memory>

namespace slotwise {

std::unique_ptr<Scheduler> make_site_scheduler(const ReplayContext& context,
                                               std::shared_ptr<const Routing> routing);

} // namespace slotwise
