// Prepares the orders of a site. The past usage of users is tracked only if an order reads it.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Prepares `jobs` for all orders of the site. `routing` is null if the site consists only of a
// machine and a policy.
void prepare_orders(const Site& site, const Routing* routing, ReplayJobs& jobs);

// Does the same as prepare_orders(), but in the middle of a replay. If an order reads past usage
// that has not been tracked from the start, throws std::invalid_argument and changes nothing.
void prepare_orders_underway(const Site& site, const Routing* routing, ReplayJobs& jobs);

} // namespace slotwise
