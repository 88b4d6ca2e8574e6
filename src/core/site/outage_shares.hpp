// The number of processors that each pool loses in an outage.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// Returns true if the share of each pool or node class depends on which processors are free or down
// when the outage begins.
bool is_shared_out_at_begin(const Outage& outage);

// Returns the number of processors that each pool loses. `site` must list its pools. If the outage
// affects one pool or the whole machine, there is nothing to choose. If it affects only some
// processors of the machine, they are taken from one pool after another, in the order of the site
// file. A drain is always divided in this way, so its shares are known in advance.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage);

// Returns the number of processors that each pool loses when a killing outage begins. Free
// processors of all pools are taken first, then busy ones, and then processors that are already
// down. The last stay down when the earlier outage ends. Pools are used in the order of the site
// file. `free` and `present` have one value per pool; `present` counts free and busy processors.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage,
                                 std::span<const ProcCount> free,
                                 std::span<const ProcCount> present);

} // namespace slotwise
