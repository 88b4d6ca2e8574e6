// What a replay decided: one row a job of the trace.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

enum class State : std::uint8_t { completed = 0, killed = 1, rejected = 2 };

struct Schedule {
    std::vector<Time> start; // kNotStarted where the job never ran, and then so are end and wait
    std::vector<Time> end;
    std::vector<std::uint8_t> state;      // of State
    std::vector<std::uint8_t> backfilled; // 1 where it started past a waiting job that precedes it
};

} // namespace slotwise
