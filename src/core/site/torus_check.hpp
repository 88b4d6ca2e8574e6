// Checks on a site with a torus, and on the parts that only such a site can have.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Returns a copy of the site. Under the `window` backfill rule, the processors of a plain machine
// become a one-dimensional torus with one processor per node.
Site with_places(Site site);

// Throws std::invalid_argument, naming the first rule that the site breaks.
void check_torus(const Site& site);

} // namespace slotwise
