// A plan of a machine, queried per job: resources free now and later, and those held.
#pragma once

#include "types.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace slotwise {

// A general planner works over any plan. Spans of time are half open; `now` is the instant of the
// last advance(). A Hold describes what a reservation takes (empty for identical processors).
template <class P>
concept Plan =
    requires(P plan, const P& seen, typename P::Hold& hold, JobId job, Time from, Time to,
             Duration length, std::span<const JobId> jobs, std::size_t i, bool is_so) {
        // True if reservations may stay between passes: until a job ends, a new plan would make the
        // same ones.
        { P::kKeepsReservations } -> std::convertible_to<bool>;
        // The least length that is planned.
        { P::kLeastLength } -> std::convertible_to<Duration>;

        // False if the empty machine has no room for the job.
        { seen.can_hold(job) } -> std::same_as<bool>;

        // Later questions and changes concern `from` or later.
        plan.advance(from);

        // Free now. begin() precedes the starts of a pass, after ends and corrections; close()
        // follows them.
        plan.begin();
        plan.close();
        { seen.is_full() } -> std::same_as<bool>;

        // Room now: for a job that no other precedes, or over its whole length beside reservations.
        { plan.fits_first(job, length) } -> std::same_as<bool>;
        { plan.fits(job, length) } -> std::same_as<bool>;

        // look_ahead() announces that `jobs` are tried from index `i` on. may_any_fit() is false if
        // none of the rest can have room, which ends the search. `is_so`: jobs without room are
        // given reservations.
        plan.look_ahead(jobs, i);
        { seen.may_any_fit(i, is_so) } -> std::same_as<bool>;

        // The earliest start; `is_so`: the plan holds running jobs only.
        { plan.earliest(job, length, is_so) } -> std::same_as<Time>;

        // Reservations.
        plan.occupy(job, from, to, hold);
        plan.vacate(job, from, to, hold);

        // Running jobs. start(): the job holds its resources until `from` for the rest of the pass,
        // and until its assumed end `to` afterwards. prolong(): a job that outlives its estimate
        // also holds them over [from, to). finish(): a job that has ended releases the rest up to
        // `to`.
        plan.start(job, from, to);
        plan.prolong(job, from, to);
        plan.finish(job, to);
    };

} // namespace slotwise
