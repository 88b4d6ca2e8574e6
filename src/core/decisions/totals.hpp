// Sums over the time since the beginning of an episode, from which rewards are computed.
#pragma once

#include "types.hpp"

#include <cstdint>

namespace slotwise {

struct Totals {
    std::int64_t waited = 0;      // seconds, over the jobs in the queue
    std::int64_t waited_area = 0; // seconds times processors, over the jobs in the queue
    std::int64_t busy_area = 0;   // processor-seconds of running jobs
    double presence = 0;          // seconds / run time, over jobs that wait or run
    double bounded_slowdown = 0;  // sum over the jobs that have started
    std::int64_t n_started = 0;
    Time seconds = 0;
};

} // namespace slotwise
