// Reservations of one job in several pools at once.
//
// Example: pools A (6 processors), B (4) and C (2); a job on 9 processors for 100 s. Now 2
// processors of A are free, and from 50 on all of A; B and C are idle. Together 8 are free now and
// 12 from 50 on, so the reservation is at 50. Shares are in proportion: 9·6/12 = 4.5, 9·4/12 = 3,
// 9·2/12 = 1.5. Whole parts are 4, 3 and 1. The processor left over goes to the largest remainder:
// A and C tie at 0.5, and A comes first by name. Shares are 5, 3 and 1, fenced on [50, 150).
#pragma once

#include "availability/pools/pool_plan.hpp"
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

// Reservation of the first job of a spanning queue.
struct AdvanceReservation {
    JobId job = kNoJob;
    Time from = kNever; // kNever: no reservation
    Time to = kNever;
    std::vector<PoolShare> shares; // fenced in their pools on [from, to)

    // Input of the last search, which is repeated only after this input has changed.
    std::vector<PoolId> usable;
    std::uint64_t eased = 0;
    bool starves = false;

    bool made() const { return from != kNever; }
};

// Earliest reservation on the grid of passes, beginning in [from, before), at which the `usable`
// pools together have `processors` free for `length` > 0. Each share is at least 1. Returns an
// empty reservation if there is no such instant.
AdvanceReservation earliest_together(const std::vector<Pool>& pools,
                                     std::span<const PoolPlan> plans,
                                     std::span<const PoolId> usable, ProcCount processors,
                                     Time length, Time from, Time before, const StartGrid& grid);

} // namespace slotwise
