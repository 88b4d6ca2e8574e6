// The length of an attempt with checkpoints, and the work that is left after an interruption.
//
// Work is measured in seconds of the job's own computation; elapsed time also includes the time
// that checkpoints take. Example: a job has 25 s of work and writes a checkpoint after every 10 s
// of work, which takes 2 s each time:
//
//     elapsed  0        10 12       22 24    29      it runs for 25 + 2 · 2 = 29 s;
//              |- work --|c|- work --|c|-work-|      there is no checkpoint at the end
//
// If the job is interrupted after 11 s, nothing is saved and 25 s of work are left. If it is
// interrupted after 12 s, 10 s of work are saved and 15 s are left. The next attempt counts its
// checkpoints from its own beginning, so it runs for 15 + 2 = 17 s.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// One attempt of a job: before it, `done` seconds of work are saved and `left` seconds of work
// remain.
struct AttemptWork {
    Time done;
    Time left;
};

// Returns the length of the attempt if it is not interrupted and has no limit. With checkpoints
// that cost c seconds each, this is:
//
//     a checkpoint every e:   left + floor((left - 1) / e) · c, or 0 if left is 0
//     one checkpoint at a:    left + c if a lies within the attempt: done < a < done + left
Time length_of(const AttemptWork& work, const Interruption& rule);

// Returns the seconds of work that are saved if the attempt is interrupted after `elapsed` seconds,
// which must be less than its length:
//
//     a checkpoint every e:   e · floor(elapsed / (e + c)), but at most left
//     one checkpoint at a:    a - done if elapsed >= a - done + c and a lies within the attempt
//
// The result is 0 for a job that does not restart from checkpoints.
Time saved_after(const AttemptWork& work, Time elapsed, const Interruption& rule);

} // namespace slotwise
