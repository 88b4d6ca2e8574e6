// Writes columns as text in Standard Workload Format 2.2.
#pragma once

#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace slotwise {

// Values from a replayed schedule that replace those in the log. Each column has one value per job
// in the table.
struct SwfSchedule {
    std::span<const Time> wait;
    std::span<const Time> run_time;
    std::span<const std::int32_t> status;
};

// Returns the jobs from `first` to `last` − 1 as text, with one line of 18 numbers per job. Values
// in `schedule` replace those in the table.
std::string format_swf(const JobTable& jobs, std::size_t first, std::size_t last,
                       const SwfSchedule* schedule = nullptr);

} // namespace slotwise
