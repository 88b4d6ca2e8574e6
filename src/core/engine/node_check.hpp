// What a machine of nodes, and jobs that have places, make impossible.
#pragma once

#include "engine/site.hpp"

namespace slotwise {

// Throws std::invalid_argument naming the first part of the site that does not go with its machine.
void check_nodes(const Site& site);

} // namespace slotwise
