// The scheduler of a site that is not plain.
#pragma once

#include "schedule/routing.hpp"
#include "schedule/scheduler.hpp"

#include <memory>

namespace slotwise {

std::unique_ptr<Scheduler> make_site_scheduler(const ReplayContext& context,
                                               std::shared_ptr<const Routing> routing);

} // namespace slotwise
