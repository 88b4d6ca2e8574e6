// Checks on a policy that do not depend on the site.
#pragma once

#include "site/policy.hpp"

namespace slotwise {

// Throws std::invalid_argument, naming the first parameter that is unknown or out of range.
void check(const Policy& policy);

} // namespace slotwise
