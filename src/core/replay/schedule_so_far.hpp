// The starts of a replay in progress, with one row per job in the trace.
#pragma once

#include "containers/block_column.hpp"
#include "replay/placements.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>

namespace slotwise {

struct ScheduleSoFar {
    BlockColumn<Time> start;              // start of the last attempt, or kNotStarted
    BlockColumn<std::uint8_t> backfilled; // 1 if the job overtook a waiting job
    Placements placements;                // empty if the machine has no nodes
};

} // namespace slotwise
