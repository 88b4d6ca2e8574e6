// The EASY pass over waiting jobs in order. EasyPlanner uses it for its short queue;
// PriorityPlanner and the replay of an agent's decisions use it too.
//
// A `queue` has positions from begin() to end(), job_at(position), and next(from, bounds), which
// returns the first position at or after `from` whose job is within the bounds. A `reservation`
// counts the free processors, and determines which jobs may pass the head. `start(position,
// past_the_head)` removes the job from the queue, occupies its processors, and returns the position
// from which to continue.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <cstddef>

namespace slotwise {

// Starts the jobs that may pass the head without delaying its reservation. Requires that no job
// before `position` can pass the head.
template <class Queue, class Reservation, class Start>
inline void pass_the_head_in_order(Queue& queue, std::size_t position, Reservation& reservation,
                                   Start&& start) {
    while (reservation.available() > 0) {
        position = queue.next(position, reservation.bounds());
        if (position >= queue.end()) return;
        position =
            reservation.may_start(queue.job_at(position)) ? start(position, true) : position + 1;
    }
}

// Starts jobs up to the head, which is the first job that does not fit, then starts jobs that may
// pass the head. The reservation is computed only if a job behind the head fits.
template <class Queue, class Reservation, class Start>
inline void pass_in_order(Queue& queue, bool others_pass, Reservation& reservation, Start&& start) {
    std::size_t head = queue.begin();
    while (head != queue.end() && reservation.fits(queue.job_at(head)))
        head = start(head, false);
    const ProcCount free = reservation.available();
    if (head == queue.end() || !others_pass || free == 0) return;
    const std::size_t first = queue.next(head + 1, {free, kMaxDuration, free});
    if (first == queue.end()) return;
    reservation.reserve_for(queue.job_at(head));
    pass_the_head_in_order(queue, first, reservation, start);
}

} // namespace slotwise
