// Writer of Standard Workload Format 2.2: columns to text.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace slotwise {

// Values from a replayed schedule that replace the logged ones; one value per job in the table.
struct SwfSchedule {
    std::span<const Time> wait;
    std::span<const Time> run_time;
    std::span<const std::int32_t> status;
};

// The jobs [first, last) of `jobs`, one line of 18 numbers each, with the values of `schedule`.
std::string format_swf(const JobTable& jobs, std::size_t first, std::size_t last,
                       const SwfSchedule* schedule = nullptr);

} // namespace slotwise
