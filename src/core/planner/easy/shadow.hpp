// The reservation of the head of a queue on processors.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace slotwise {

// The head starts at `time`, and leaves `extra` processors free then.
struct Shadow {
    Time time = kNever;
    std::int64_t extra = 0;

    ProcCount spare() const {
        constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
        return static_cast<ProcCount>(std::clamp<std::int64_t>(extra, 0, most));
    }

    // Longest run time from `now` that ends by the shadow time; 0 once that has come.
    Duration longest_from(Time now) const {
        return static_cast<Duration>(std::clamp<Time>(time - now, 0, kMaxDuration));
    }

    // True if a job with this end may start; reserves the extra processors that it needs.
    bool admits(Time end, ProcCount processors) {
        if (end <= time) return true;
        if (processors > spare()) return false;
        extra -= processors;
        return true;
    }
};

} // namespace slotwise
