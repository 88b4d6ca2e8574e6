// Progress reports during long work.
#pragma once

#include <functional>

namespace slotwise {

// Called about ten times a second with the fraction of events handled (0 … 1); may throw to end the
// replay.
using Progress = std::function<void(double)>;

} // namespace slotwise
