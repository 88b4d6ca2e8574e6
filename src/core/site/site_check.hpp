// Guards of a site: one line per rule. The package explains each with its place and remedy.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Throws std::invalid_argument for a policy under which pools, queues, limits or a calendar cannot
// be replayed.
void check_policy_of_queues(const Site& site);

// Throws std::invalid_argument, naming the first rule that the site or its policy breaks.
// PreparedSite calls it, once per replay.
void check_replayable(const Site& site);

} // namespace slotwise
