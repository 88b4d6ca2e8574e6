// Preparation of a site's orders: tracks the usage of users if an order weighs it.
#pragma once

#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Prepares `jobs` for every order of the site.
void prepare_orders(const Site& site, ReplayJobs& jobs);

// The same in the middle of a replay. Throws std::invalid_argument, with nothing changed, for an
// order that weighs usage that has not been followed from the start.
void prepare_orders_underway(const Site& site, ReplayJobs& jobs);

} // namespace slotwise
