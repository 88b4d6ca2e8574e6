// The sums from which rewards are computed. Each covers the time since the beginning of an episode.
#pragma once

#include "types.hpp"

#include <cstdint>

namespace slotwise {

struct Totals {
    std::int64_t waited = 0;      // seconds waited, summed over jobs
    std::int64_t waited_area = 0; // seconds waited times processors, summed over jobs
    std::int64_t busy_area = 0;   // processor-seconds of running jobs
    double presence = 0;          // (seconds waiting or running) / run time, summed over jobs
    double bounded_slowdown = 0;  // bounded slowdowns, summed over the jobs that have started
    std::int64_t n_started = 0;
    Time seconds = 0;
};

} // namespace slotwise
