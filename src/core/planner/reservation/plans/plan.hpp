// The plan of a machine: the resources free now and later, and the resources in use. Each query
// concerns one job.
#pragma once

#include "types.hpp"

#include <concepts>

namespace slotwise {

// A generic planner works with any class that satisfies this concept. Time spans are half open, and
// `now` is the instant passed to the last call to advance(). A Hold describes the resources that a
// reservation occupies (it is empty for identical processors).
template <class P>
concept Plan = requires(P plan, const P& seen, typename P::Hold& hold, JobId job, Time from,
                        Time to, Duration length, bool is_so) {
    // True if reservations may be kept between passes, because a new plan would contain the
    // same reservations until a job ends.
    { P::kKeepsReservations } -> std::convertible_to<bool>;
    // The smallest length that a plan can contain.
    { P::kLeastLength } -> std::convertible_to<Duration>;

    // Returns false if the job does not fit even on the empty machine.
    { seen.can_hold(job) } -> std::same_as<bool>;

    // Announces that all later queries and changes concern times at or after `from`.
    plan.advance(from);

    // In each pass, begin() is called once job ends and corrected estimates have been recorded, and
    // close() is called after the starts. is_full() returns true if no resources are free now.
    plan.begin();
    plan.close();
    { seen.is_full() } -> std::same_as<bool>;

    // The following functions test whether a job can start now. fits_first() is for a job that no
    // other job precedes. has_room() is a quick test: if it returns false, the job cannot start in
    // this pass, whatever its length. fits() requires that has_room() has returned true, and checks
    // whether the job also fits alongside the reservations for its whole length.
    { plan.fits_first(job, length) } -> std::same_as<bool>;
    { plan.has_room(job) } -> std::same_as<bool>;
    { plan.fits(job, length) } -> std::same_as<bool>;

    // Returns the earliest possible start. The last argument is true if the plan contains only
    // running jobs.
    { plan.earliest(job, length, is_so) } -> std::same_as<Time>;

    // occupy() adds a reservation to the plan, and vacate() removes it.
    plan.occupy(job, from, to, hold);
    plan.vacate(job, from, to, hold);

    // start() adds a job that starts now. The plan contains it until `from` in this pass, and until
    // `to` in later passes. prolong() extends a job that runs longer than estimated: the job also
    // occupies its resources over [from, to). finish() releases the resources of a job that has
    // ended, for the rest of its planned time, up to `to`.
    plan.start(job, from, to);
    plan.prolong(job, from, to);
    plan.finish(job, to);
};

} // namespace slotwise
