// Preparation of a site's orders: the usage of users is tracked if an order reads it.
#pragma once

#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"

namespace slotwise {

// Prepares `jobs` for every order of the site; `routing` is null if the site is plain.
void prepare_orders(const Site& site, const Routing* routing, ReplayJobs& jobs);

// Same as prepare_orders(), in the middle of a replay. Throws std::invalid_argument, with nothing
// changed, for an order that reads usage not tracked from the start.
void prepare_orders_underway(const Site& site, const Routing* routing, ReplayJobs& jobs);

} // namespace slotwise
