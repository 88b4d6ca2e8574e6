// Reservations of one job in several pools at once.
//
// Example: pools A (6 processors), B (4) and C (2); a job of 9 for 100 s. A has 2 free now and all
// from 50 on, B and C are idle. Together they have 8 now and 12 from 50 on, so the reservation is
// at 50, in proportion: 9·6/12 = 4.5, 9·4/12 = 3, 9·2/12 = 1.5. Whole parts 4, 3, 1; the one left
// goes to the largest remainder, of A and C (0.5 each) to A by name: 5, 3 and 1, fenced on [50,
// 150).
#pragma once

#include "availability/pool_plan.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct PoolShare {
    PoolId pool;
    ProcCount processors;

    bool operator==(const PoolShare&) const = default;
};

// Of the first job of a spanning queue.
struct AdvanceReservation {
    JobId job = kNoJob;
    Time from = kNever; // kNever: there is none
    Time to = kNever;
    std::vector<PoolShare> shares; // fenced in their pools on [from, to)

    // What the last search went by: it is repeated only where this has changed.
    std::vector<PoolId> usable;
    std::uint64_t eased = 0;
    bool starves = false;

    bool made() const { return from != kNever; }
};

// The first instant in [from, before) on the grid of passes from which the `usable` pools together
// keep `processors` for `length`, and the shares there, each at least 1; none made where there is
// no such instant. length > 0.
AdvanceReservation earliest_together(const std::vector<Pool>& pools,
                                     std::span<const PoolPlan> plans,
                                     std::span<const PoolId> usable, ProcCount processors,
                                     Time length, Time from, Time before, const StartGrid& grid);

} // namespace slotwise
