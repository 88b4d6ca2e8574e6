// Chooses consecutive free nodes according to an allocation rule.
#pragma once

#include "machine/torus/slots.hpp"
#include "site/policy.hpp"
#include "types.hpp"

namespace slotwise {

// Returns the first `size` nodes of a free slot. The result is empty if no slot is large enough.
NodeInterval choose_interval(const Slots& slots, Allocation rule, NodeCount size);

} // namespace slotwise
