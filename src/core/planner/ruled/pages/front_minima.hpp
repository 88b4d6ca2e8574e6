// The rank, processors and length of a front, or the minimum of each of these over several fronts.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>

namespace slotwise {

// The default values are those of a closed or free slot.
struct FrontMinima {
    using Value = SixteenMinima::Value;
    static constexpr ProcCount kClosed = INT32_MAX;

    Value rank = SixteenMinima::kNone;
    ProcCount processors = kClosed;
    std::int32_t length = INT32_MAX; // biased (backfill_bounds.hpp)

    void take(const FrontMinima& other) {
        rank = std::min(rank, other.rank);
        processors = std::min(processors, other.processors);
        length = std::min(length, other.length);
    }
    // Returns false if no front with these minima can be within the bounds.
    bool may_be_within(const BackfillBounds& bounds) const {
        return processors <= bounds.free &&
               (length <= backfill::biased(bounds.until_shadow) || processors <= bounds.extra);
    }
};

} // namespace slotwise
