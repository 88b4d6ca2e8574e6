// Chooses processors for the jobs of a finished schedule, so that the schedule can be drawn. A
// replay only counts the processors of a pool, so the processors of each job are chosen afterwards.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// The processors of each job, stored as intervals (pieces). All placements in a report have this
// form. Job j has the pieces [offset[j], offset[j + 1]), and piece i consists of the processors
// [first[i], first[i] + count[i]). The pieces of a job are in ascending order, and no two of them
// are adjacent. A job that never started has no pieces.
struct ChartPositions {
    std::vector<std::uint32_t> offset; // one more entry than jobs
    std::vector<ProcCount> first;
    std::vector<ProcCount> count;
    ProcCount extent = 0; // one past the highest processor used; may exceed the machine's size
};

// Assigns processors to jobs in order of their starts. A job gets the smallest free run in which it
// fits (the lowest one if several have the same size). If it fits in none, it gets the largest free
// runs, so that it has few pieces. No two jobs share a processor at any time. If a schedule
// read from a log uses more than `machine` processors, the extra ones get numbers from `machine`
// up. In addition to sorting the jobs, this takes O(pieces · log(free runs)) time.
//
// Example on a machine with 4 processors: job A uses 2 processors from 0 to 9, B uses 1 from 0 to
// 5, and C uses 2 from 5 to 7. A gets [0, 2), and B gets [2, 3). At 5, the processor of B becomes
// free and joins the other free processor, and C gets [2, 4).
//
// Each array has one value per job. A start below 0 means that the job never started; otherwise,
// end >= start. Throws std::invalid_argument if the arrays differ in length or if a job
// uses no processors.
ChartPositions chart_positions(std::span<const Time> start, std::span<const Time> end,
                               std::span<const std::int64_t> processors, ProcCount machine);

} // namespace slotwise
