// Reports progress during long computations.
#pragma once

#include <functional>

namespace slotwise {

// A function that is called about ten times a second. Its argument is the fraction of events
// handled so far, from 0 to 1. It may throw an exception to end the replay.
using Progress = std::function<void(double)>;

} // namespace slotwise
