// Progress reports during long computations.
#pragma once

#include <functional>

namespace slotwise {

// A function that is called about ten times a second with the fraction of events that have been
// handled (0 to 1). It may throw an exception to end the replay.
using Progress = std::function<void(double)>;

} // namespace slotwise
