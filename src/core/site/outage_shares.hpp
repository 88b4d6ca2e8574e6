// How much of an outage each pool bears.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// Whether what it takes from each pool depends on what is free, and away, when it begins.
bool is_shared_out_at_begin(const Outage& outage);

// By pool, of a completed site. An outage of a pool, or of the whole machine, is clear; one of some
// processors of the machine takes them from the pools in file order, each up to its size. So what a
// drain will take is known beforehand.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage);

// What an outage that kills takes when it begins: of the machine, from the pools in file order,
// free processors first, then those that are present, then those that are away already. The last
// stay away when whatever took them first is over. `free` and `present` by pool.
std::vector<ProcCount> shares_of(const Site& site, const Outage& outage,
                                 std::span<const ProcCount> free,
                                 std::span<const ProcCount> present);

} // namespace slotwise
