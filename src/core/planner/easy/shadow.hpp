// The reservation of the head of a queue, on a pool of processors.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace slotwise {

// The head starts at `time`. Once it has started, `extra` processors are still free.
struct Shadow {
    Time time = kNever;
    std::int64_t extra = 0;

    ProcCount spare() const {
        constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
        return static_cast<ProcCount>(std::clamp<std::int64_t>(extra, 0, most));
    }

    // Returns the length of the longest job that starts at `now` and ends by the shadow time.
    // Returns 0 once the shadow time has come.
    Duration longest_from(Time now) const {
        return static_cast<Duration>(std::clamp<Time>(time - now, 0, kMaxDuration));
    }

    // Returns true if a job that ends at `end` may start. If so, reserves the extra processors that
    // the job needs.
    bool admits(Time end, ProcCount processors) {
        if (end <= time) return true;
        if (processors > spare()) return false;
        extra -= processors;
        return true;
    }
};

} // namespace slotwise
