// The times at which a job may start if passes are periodic.
#pragma once

#include "types.hpp"

namespace slotwise {

// The instants at which a job may be planned to start: either every second, or `base` plus each
// multiple of the period.
struct StartGrid {
    Time base = 0;
    Time period = 1;

    // Returns the first instant at or after `t` at which a job may be planned to start. Requires t
    // >= base.
    Time at_or_after(Time t) const {
        if (period == 1) return t;
        const Time past = (t - base) % period;
        return past == 0 ? t : t + (period - past);
    }
};

} // namespace slotwise
