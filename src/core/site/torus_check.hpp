// What does not go with a torus, or only with one.
#pragma once

#include "site/site.hpp"

namespace slotwise {

// Under backfill `window` the processors of a plain site without places are a line, a node each.
Site with_places(Site site);

// Throws std::invalid_argument naming the first such part of the site.
void check_torus(const Site& site);

} // namespace slotwise
