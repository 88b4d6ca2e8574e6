// A plan of a machine, queried per job: resources free now and later, and those held.
#pragma once

#include "types.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace slotwise {

// A general planner works with any plan. Spans of time are half open; `now` is the instant of the
// last advance(). A Hold describes what a reservation takes (empty for identical processors).
template <class P>
concept Plan =
    requires(P plan, const P& seen, typename P::Hold& hold, JobId job, Time from, Time to,
             Duration length, std::span<const JobId> jobs, std::size_t i, bool is_so) {
        // True if reservations may remain between passes: until a job ends, a new plan would make
        // the same ones.
        { P::kKeepsReservations } -> std::convertible_to<bool>;
        // The least length that is planned.
        { P::kLeastLength } -> std::convertible_to<Duration>;

        // False if the empty machine has no room for the job.
        { seen.can_hold(job) } -> std::same_as<bool>;

        // Later queries and changes concern `from` or later times.
        plan.advance(from);

        // The free resources now. begin() precedes the starts of a pass and follows ends and
        // corrections. close() follows the starts.
        plan.begin();
        plan.close();
        { seen.is_full() } -> std::same_as<bool>;

        // Tests for room now. fits_first() is for a job that no other precedes; the other test
        // covers the job's whole length beside reservations.
        { plan.fits_first(job, length) } -> std::same_as<bool>;
        { plan.fits(job, length) } -> std::same_as<bool>;

        // look_ahead() announces that `jobs` are tried from index `i` on. may_any_fit() is false if
        // none of the remaining jobs can have room; the search then ends. `is_so`: jobs without
        // room get reservations.
        plan.look_ahead(jobs, i);
        { seen.may_any_fit(i, is_so) } -> std::same_as<bool>;

        // The earliest start. `is_so`: the plan contains only running jobs.
        { plan.earliest(job, length, is_so) } -> std::same_as<Time>;

        // Reservations.
        plan.occupy(job, from, to, hold);
        plan.vacate(job, from, to, hold);

        // Running jobs. start(): the job holds its resources until `from` for the rest of the pass,
        // and until its assumed end `to` afterwards. prolong(): a job that outlives its estimate
        // also holds them over [from, to). finish(): a job that has ended releases what it still
        // holds up to `to`.
        plan.start(job, from, to);
        plan.prolong(job, from, to);
        plan.finish(job, to);
    };

} // namespace slotwise
