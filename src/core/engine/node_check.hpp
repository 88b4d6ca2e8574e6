// What a machine of nodes, and jobs that have places, make impossible.
#pragma once

#include "engine/site.hpp"

namespace slotwise {

// Under backfill `window` a machine of processors without places is a line of one-processor nodes.
Site with_nodes(Site site);

// Throws std::invalid_argument naming the first part of the site that does not go with its machine.
void check_nodes(const Site& site);

} // namespace slotwise
