// Which processors of the pool each job of a finished schedule sat on, for pictures: a pool of
// processors has no places of its own, so one is chosen afterwards.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Intervals per job, the form every machine model's placement takes in a report. Job j sat on the
// pieces [offset[j], offset[j + 1]), piece i being the processors [first[i], first[i] + count[i]);
// pieces of a job ascend and do not touch. A job that never started has none.
struct Placement {
    std::vector<std::uint32_t> offset; // one more than jobs
    std::vector<ProcCount> first;
    std::vector<ProcCount> count;
    ProcCount extent =
        0; // one past the highest processor used, more than the machine where it was overbooked
};

// Places jobs in order of start, each in the smallest free run that holds it whole (the lowest of
// equals), else in the largest free runs, so that jobs stay in few pieces; no two jobs share a
// processor at one time. What does not fit into `machine` (a log's own schedule may overbook it)
// lies above it. O((pieces) log(free runs)) after sorting by start.
//
// Example, machine of 4: A takes 2 from t = 0 to 9, B takes 1 from 0 to 5, C takes 2 from 5 to 7. A
// sits on [0, 2), B on [2, 3); at 5 B's processor joins the free one, and C sits on [2, 4).
//
// The spans have one value a job; start < 0 means never started, else end >= start. Throws
// std::invalid_argument where lengths differ or a job needs no processor.
Placement place(std::span<const Time> start, std::span<const Time> end,
                std::span<const std::int64_t> processors, ProcCount machine);

} // namespace slotwise
