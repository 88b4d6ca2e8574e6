// Pools that are planned job by job, on a machine where the number of free processors does not show
// whether a job fits.
//
// Example: a torus on which each job takes consecutive nodes. fits_now() finds nodes for a job on 4
// nodes; start() then puts the job on these nodes.
#pragma once

#include "availability/start_times.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>

namespace slotwise {

class JobPools {
  public:
    virtual ~JobPools() = default;

    virtual void advance(Time now) = 0;

    // Returns the number of unused processors in the pool.
    virtual std::int64_t free_processors(PoolId pool) const = 0;

    // Returns an upper bound on the size, in processors, of the jobs that fit now, or 0 if none
    // fits.
    virtual ProcCount most_now(PoolId pool) const = 0;

    // Returns true if the job may start now and run for `length`, which may be 0. start() then uses
    // the places found here.
    virtual bool fits_now(JobId job, Time length) = 0;

    // Returns true only if the job is known to be unable to start now, so that fits_now() would
    // return false.
    virtual bool is_refused(JobId, Time) { return false; }

    // Returns true if the job may start now, and run for `length`, inside an open reservation of
    // its user. Requires that the reservation is open for at least `length` from now on.
    virtual bool fits_inside(JobId job, Time length, std::uint32_t reservation) = 0;

    // start() starts a job in the places found last, and plans it to end at `planned_end`. vacate()
    // releases the places of a job, and prolong() moves its planned end.
    virtual void start(JobId job, Time planned_end) = 0;
    virtual void start_inside(JobId job, std::uint32_t reservation, Time planned_end) = 0;
    virtual void vacate(JobId job, Time planned_end) = 0;
    virtual void prolong(JobId job, Time planned_end, Time end) = 0;

    // These functions return the earliest start for a job at or after `from`, or kNever if there is
    // none. If the job cannot start by `until`, the result may be any time after `until`.
    // earliest_start() considers only the times in `starts`. `length` must be positive.
    virtual Time earliest(JobId job, Time length, Time from, Time until) = 0;
    Time earliest_start(JobId job, Time length, Time from, Time until, const StartTimes& starts);

    // reserve() reserves places for a job at its earliest start, or returns false if the job does
    // not fit at any time. reserve_at() makes a reservation that begins at `from`.
    // drop_reservations() drops all reservations of the pool.
    virtual bool reserve(PoolId pool, JobId job, Time length) = 0;
    virtual void reserve_at(PoolId pool, JobId job, Time from, Time length) = 0;
    virtual void drop_reservations(PoolId pool) = 0;

    // promise() plans a promised job on [start, start + length). lay() takes the promise out of the
    // plan (sign −1) or puts it back (sign 1).
    virtual void promise(JobId job, Time start, Time length) = 0;
    virtual void lay(JobId job, int sign) = 0;
    virtual void forget_promise(JobId job) = 0;
    virtual void forget_promises() = 0;

    // Returns false only if it is certain that the promise cannot move to an earlier start. The
    // promise must be in the plan.
    virtual bool may_start_earlier(JobId) { return true; }

    // The following two functions require that the promise has been taken out of the plan.
    // has_room() returns true if the promise still fits in its old place. fits_promise() returns
    // true if its job may start now; start() then uses the places found here.
    virtual bool has_room(JobId job) = 0;
    virtual bool fits_promise(JobId job) = 0;

    // Returns true if the plan might exceed the resources of the machine.
    virtual bool is_overdrawn() = 0;

    virtual bool is_open(std::uint32_t reservation) const = 0;
    virtual Time until(std::uint32_t reservation) const = 0;
    // Returns the number of unused processors, or of nodes without a job, in an open reservation.
    virtual ProcCount left(std::uint32_t reservation) const = 0;
    // Returns true if no other job can start inside the open reservation.
    virtual bool is_full(std::uint32_t reservation) const = 0;
};

} // namespace slotwise
