// Guards of a policy, whatever the site.
#pragma once

#include "site/policy.hpp"

namespace slotwise {

// Throws std::invalid_argument, naming the first parameter that is out of range.
void check(const Policy& policy);

} // namespace slotwise
