// The condition under which a pool with a threshold takes a job: slowdown so far × priority of the
// queue.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// (now − submit) / max(1, min(requested_time, the queue's longest)) × priority, doubles in this
// order.
double factor_of(Time waited, Duration requested_time, const Queue& queue);

// The first second after `now` at which the factor of a job submitted at `submit` is above the
// threshold; kNever where that never comes, or where it is so now already.
Time passes_at(Time now, Time submit, Duration requested_time, const Queue& queue,
               double threshold);

} // namespace slotwise
