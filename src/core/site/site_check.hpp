// Checks on a site. When a check fails, the Python package adds to the message where the error is
// and how to correct it.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Throws std::invalid_argument if a value of the policy is not valid, or if the policy does not
// support the nodes, pools, queues, limits or calendar of the site.
void check_policy_of_queues(const Site& site);

// Throws std::invalid_argument, naming the first rule that the site or its policy breaks.
// PreparedSite calls this once per replay.
void check_replayable(const Site& site);

} // namespace slotwise
