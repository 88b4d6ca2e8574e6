// What a replay decided: one row a job of the trace.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

enum class State : std::uint8_t {
    completed = 0,
    killed = 1, // at its limit
    rejected = 2,
    cancelled = 3,
    interrupted = 4, // by a crash or an outage, and not queued again
    waiting = 5,     // this and the next only in mid-replay
    running = 6
};

struct Schedule {
    std::vector<Time> start; // kNotStarted where the job never ran, and then so are end and wait
    std::vector<Time> end;
    std::vector<std::uint8_t> state;      // of State
    std::vector<std::uint8_t> backfilled; // 1 where it started past a waiting job that precedes it
};

} // namespace slotwise
