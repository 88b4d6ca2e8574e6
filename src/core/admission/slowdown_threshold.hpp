// Decides when a pool with a threshold accepts a job. The slowdown of the job so far, multiplied by
// the priority of its queue, must exceed the threshold.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Returns the slowdown factor: waited / max(1, min(requested_time, longest time allowed in the
// queue)) × priority. All operations use doubles, and are carried out in this order.
double factor_of(Time waited, Duration requested_time, const Queue& queue);

// Returns the first second after `now` at which the slowdown factor of a job submitted at `submit`
// exceeds the threshold. Returns kNever if it never does, or if it already exceeds the threshold.
Time passes_at(Time now, Time submit, Duration requested_time, const Queue& queue,
               double threshold);

} // namespace slotwise
