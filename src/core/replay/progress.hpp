// Progress reports during long work.
#pragma once

#include <functional>

namespace slotwise {

// Function called about ten times a second with the fraction of events handled (0 … 1); it may
// throw to end the replay.
using Progress = std::function<void(double)>;

} // namespace slotwise
