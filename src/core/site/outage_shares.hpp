// The share of an outage that each pool bears.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// True if the shares, of pools or of classes of nodes, depend on what is free and absent when the
// outage begins.
bool is_shared_out_at_begin(const Outage& outage);

// Shares by pool, for a completed site. An outage of a pool or of the whole machine has obvious
// shares. An outage of some processors of the machine takes them from the pools in file order, from
// each up to its size, so that the shares of a drain are known beforehand.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage);

// Shares of an outage that kills, when it begins. They are taken from the pools in file order:
// first free processors, then present ones, then those that are already absent, which stay absent
// after the earlier outage is over. `free` and `present` are by pool.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage,
                                 std::span<const ProcCount> free,
                                 std::span<const ProcCount> present);

} // namespace slotwise
