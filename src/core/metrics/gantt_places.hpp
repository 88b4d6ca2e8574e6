// Processors for each job of a finished schedule, for pictures. Replays count the processors of a
// pool without choosing any, so they are chosen afterwards.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Intervals per job, the form of every placement in a report. Job j has the pieces [offset[j],
// offset[j + 1]); piece i is the processors [first[i], first[i] + count[i]). The pieces of a job
// ascend and are not adjacent. A job that never started has none.
struct Placement {
    std::vector<std::uint32_t> offset; // one more entry than jobs
    std::vector<ProcCount> first;
    std::vector<ProcCount> count;
    ProcCount extent =
        0; // one past the highest processor used; above the machine if it was overbooked
};

// Gives processors to jobs in order of start. A job gets the smallest free run in which it fits
// (the lowest among equals); otherwise it gets the largest free runs, so it has few pieces. No two
// jobs share a processor at any time. If a log's own schedule overbooks `machine`, the excess is
// above it. O((pieces) log(free runs)) after sorting by start.
//
// Example on a machine with 4 processors: A takes 2 from t = 0 to 9, B takes 1 from 0 to 5, and C
// takes 2 from 5 to 7. A gets [0, 2), and B gets [2, 3). At 5, B's processor joins the free one,
// and C gets [2, 4).
//
// The spans have one value per job; start < 0 means never started, otherwise end >= start. Throws
// std::invalid_argument if lengths differ or a job needs no processor.
Placement place(std::span<const Time> start, std::span<const Time> end,
                std::span<const std::int64_t> processors, ProcCount machine);

} // namespace slotwise
