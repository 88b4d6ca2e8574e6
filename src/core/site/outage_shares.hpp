// The number of processors that each pool loses in an outage.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// True if the shares, of pools or of classes of nodes, depend on what is free or down when the
// outage begins.
bool is_shared_out_at_begin(const Outage& outage);

// Shares by pool, for a completed site. An outage of a pool, or of the whole machine, needs no
// choice. An outage of some processors of the machine takes them from the pools in file order, from
// each pool up to its size. The shares of a drain are thus known beforehand.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage);

// Shares of a killing outage when it begins, taken from the pools in file order. Free processors
// come first, then busy ones, then those that are already down; these remain down when the earlier
// outage ends. `free` and `present` are by pool; `present` counts free and busy processors.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage,
                                 std::span<const ProcCount> free,
                                 std::span<const ProcCount> present);

} // namespace slotwise
