// What makes a site impossible.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Throws std::invalid_argument naming the first value of pools, queues or limits that cannot be, or
// the switch of the policy that queues, pools, limits and calendars do not take.
void check(const Site& site);

// Throws std::invalid_argument naming the first value of the site, its policy included, under which
// nothing can be replayed.
void check_replayable(const Site& site);

} // namespace slotwise
