// Finds reservations that give a job processors in several pools at the same time.
//
// Example: there are pools A (6 processors), B (4) and C (2), and a job on 9 processors for 100 s.
// 2 processors of A are free now, and all of A from 50 onwards; B and C are idle. Together, 8
// processors are free now and 12 from 50 onwards, so the reservation begins at 50. Shares are
// proportional: 9·6/12 = 4.5, 9·4/12 = 3 and 9·2/12 = 1.5. Their whole parts are 4, 3 and 1. The
// remaining processor is added to the share with the largest remainder. A and C tie at 0.5, and A
// comes first by name. The shares are therefore 5, 3 and 1, and they are reserved from 50 until
// 150.
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

// The reservation of the first job of a spanning queue.
struct AdvanceReservation {
    JobId job = kNoJob;
    Time from = kNever; // start; kNever if there is no reservation
    Time to = kNever;
    std::vector<PoolShare> shares; // processors reserved in each pool, from `from` until `to`

    // Input of the last search. The search is repeated only after this input has changed.
    std::vector<PoolId> usable;
    std::uint64_t eased = 0;
    bool starves = false;

    bool made() const { return from != kNever; }
};

// Returns the earliest reservation that gives a job a total of `processors` processors in the
// `usable` pools for `length`, which must be positive. The reservation begins in [from, before), at
// one of the times in `grid`. Each share is at least 1. Returns an empty reservation if there is no
// such time.
AdvanceReservation earliest_together(const std::vector<Pool>& pools,
                                     std::span<const PoolPlan> plans,
                                     std::span<const PoolId> usable, ProcCount processors,
                                     Time length, Time from, Time before, const StartGrid& grid);

} // namespace slotwise
