// A plan of a machine, asked by job: what is free now and later, and what is held of it.
#pragma once

#include "types.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace slotwise {

// A general planner works over any plan. Spans of time are half open; `now` is the instant of the
// last advance(). A Hold names what a reservation takes (nothing, where processors are all alike).
template <class P>
concept Plan =
    requires(P plan, const P& seen, typename P::Hold& hold, JobId job, Time from, Time to,
             Duration length, std::span<const JobId> jobs, std::size_t i, bool is_so) {
        // Reservations may stay between passes: until something ends they are what a new plan would
        // be.
        { P::kKeepsReservations } -> std::convertible_to<bool>;
        // Nothing is planned shorter.
        { P::kLeastLength } -> std::convertible_to<Duration>;

        // False if the empty machine has no room for the job.
        { seen.can_hold(job) } -> std::same_as<bool>;

        // No later question or change reaches before `from`.
        plan.advance(from);

        // Free now. begin() opens the starts of a pass, after ends and corrections; close() ends
        // them.
        plan.begin();
        plan.close();
        { seen.is_full() } -> std::same_as<bool>;

        // Room now: for a job that nobody precedes, or over its whole length beside reservations.
        { plan.fits_first(job, length) } -> std::same_as<bool>;
        { plan.fits(job, length) } -> std::same_as<bool>;

        // `jobs` are tried from index `i` on; false if none of the rest can have room, so that no
        // further one is looked at. `is_so`: those without room are given reservations.
        plan.look_ahead(jobs, i);
        { seen.may_any_fit(i, is_so) } -> std::same_as<bool>;

        // The earliest start; `is_so`: nothing but running jobs is planned.
        { plan.earliest(job, length, is_so) } -> std::same_as<Time>;

        // Reservations.
        plan.occupy(job, from, to, hold);
        plan.vacate(job, from, to, hold);

        // Running jobs. One that starts holds what it takes until `from` for the rest of the pass,
        // and until its assumed end `to` afterwards; one that outlives its estimate is held on
        // [from, to); of one that has ended nothing is held up to `to` any more.
        plan.start(job, from, to);
        plan.prolong(job, from, to);
        plan.finish(job, to);
    };

} // namespace slotwise
