// Calls a Progress function about ten times a second from a loop. A step of the loop may take
// nanoseconds or, if many jobs are waiting, milliseconds.
#pragma once

#include "replay/progress.hpp"

#include <algorithm>
#include <chrono>

namespace slotwise {

class ProgressMeter {
  public:
    // Counts one step of a loop; `steps` must be 0 when the loop begins. `part_done()` returns the
    // fraction of the replay that is done. Returns true if `progress` was called.
    template <class PartDone>
    bool count_step(unsigned& steps, const Progress& progress, const PartDone& part_done) {
        if (++steps < stride_ || !progress) return false;
        steps = 0;
        if (!is_due()) return false;
        progress(part_done());
        return true;
    }

  private:
    // Reads the clock. Uses the time since the last reading to choose the number of steps until the
    // next one.
    [[gnu::noinline]] bool is_due() {
        constexpr unsigned kMostStepsPerClockLook = 256;
        constexpr std::chrono::milliseconds kReportEvery{100};
        constexpr std::chrono::milliseconds kLongStride{20};
        const auto clock = std::chrono::steady_clock::now();
        const bool late = clock - looked_ > kLongStride;
        stride_ = late ? std::max(stride_ / 4, 1U) : std::min(2 * stride_, kMostStepsPerClockLook);
        looked_ = clock;
        if (clock - reported_ < kReportEvery) return false;
        reported_ = clock;
        return true;
    }

    std::chrono::steady_clock::time_point reported_{};
    std::chrono::steady_clock::time_point looked_{};
    unsigned stride_ = 1; // steps until the clock is read again
};

} // namespace slotwise
