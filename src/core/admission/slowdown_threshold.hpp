// Condition under which a pool with a threshold takes a job: slowdown so far × queue priority.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// (now − submit) / max(1, min(requested_time, longest time of the queue)) × priority, in doubles
// and in this sequence of operations.
double factor_of(Time waited, Duration requested_time, const Queue& queue);

// First second after `now` at which the factor of a job submitted at `submit` exceeds the
// threshold. kNever if it never exceeds it, or already does.
Time passes_at(Time now, Time submit, Duration requested_time, const Queue& queue,
               double threshold);

} // namespace slotwise
