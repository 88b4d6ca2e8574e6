// What a job has to run for, where it writes checkpoints, and what an interruption leaves of it.
//
// `work` counts the seconds of a job itself, elapsed time its checkpoints too. A checkpoint every
// 10 s of work, at a cost of 2 s each, of a job of 25 s:
//
//     elapsed  0        10 12       22 24    29      runs 25 + 2 · 2 = 29 s; none at the very end
//              |- work --|c|- work --|c|-work-|
//     interrupted after 11 s: nothing is saved, 25 s of work are left
//     interrupted after 12 s: 10 s are saved, 15 s are left, and the next attempt, which counts its
//     checkpoints afresh, runs 15 + 2 = 17 s
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// One attempt at a job: `done` seconds of its work are saved, `left` are to do.
struct AttemptWork {
    Time done;
    Time left;
};

// What the attempt runs if nobody interrupts or cuts it.
//
//     every e, cost c:  left + floor((left - 1) / e) · c     for left > 0, else 0
//     at a,    cost c:  left + c where a lies within it: done < a < done + left
Time length_of(const AttemptWork& work, const Interruption& rule);

// Seconds of its work that are saved when it is interrupted after `elapsed`, less than its length:
//
//     every:  e · floor(elapsed / (e + c)), at most left
//     at:     a - done once elapsed >= a - done + c, where a lies within it
//
// 0 where jobs do not restart from checkpoints.
Time saved_after(const AttemptWork& work, Time elapsed, const Interruption& rule);

} // namespace slotwise
