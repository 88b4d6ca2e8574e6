// Length of an attempt with checkpoints, and the work left after an interruption.
//
// `work` counts the seconds of the job's own work; elapsed time includes its checkpoints. A job of
// 25 s with a checkpoint every 10 s of work, at a cost of 2 s each:
//
//     elapsed  0        10 12       22 24    29      runs 25 + 2 · 2 = 29 s; none at the end
//              |- work --|c|- work --|c|-work-|
//     interrupted after 11 s: nothing is saved, 25 s of work are left
//     interrupted after 12 s: 10 s are saved, 15 s are left, and the next attempt, which counts
//     its checkpoints afresh, runs 15 + 2 = 17 s
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// One attempt of a job: `done` seconds of its work are saved, `left` seconds remain.
struct AttemptWork {
    Time done;
    Time left;
};

// Length of the attempt without interruption or limit.
//
//     every e, cost c:  left + floor((left - 1) / e) · c     for left > 0, otherwise 0
//     at a,    cost c:  left + c if a lies within it: done < a < done + left
Time length_of(const AttemptWork& work, const Interruption& rule);

// Seconds of work saved by an interruption after `elapsed`, which is less than the length:
//
//     every:  e · floor(elapsed / (e + c)), at most left
//     at:     a - done once elapsed >= a - done + c, if a lies within it
//
// 0 for jobs that do not restart from checkpoints.
Time saved_after(const AttemptWork& work, Time elapsed, const Interruption& rule);

} // namespace slotwise
