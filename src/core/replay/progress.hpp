// Progress reports of long work.
#pragma once

#include <functional>

namespace slotwise {

// Called about ten times a second with the part of the events handled (0 … 1); may throw to end the
// replay.
using Progress = std::function<void(double)>;

} // namespace slotwise
