// Guards for a site with a torus, and for the parts that only a torus can have.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// A copy of the site in which, under backfill `window`, the processors of a plain machine are a
// one-dimensional torus with one node each.
Site with_places(Site site);

// Throws std::invalid_argument, naming the first rule that the site breaks.
void check_torus(const Site& site);

} // namespace slotwise
