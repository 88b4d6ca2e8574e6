// Calls a Progress about ten times a second, from a loop whose steps take nanoseconds or, with a
// deep queue, milliseconds.
#pragma once

#include "replay/progress.hpp"

#include <algorithm>
#include <chrono>

namespace slotwise {

class ProgressMeter {
  public:
    // Counts one step of a loop that begins with steps = 0. `part_done()` is the fraction of the
    // replay that is done. Returns true if it called `progress`.
    template <class PartDone>
    bool count_step(unsigned& steps, const Progress& progress, const PartDone& part_done) {
        if (++steps < stride_ || !progress) return false;
        steps = 0;
        if (!is_due()) return false;
        progress(part_done());
        return true;
    }

  private:
    // Reads the clock, and adapts the number of steps between two readings to their duration.
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
