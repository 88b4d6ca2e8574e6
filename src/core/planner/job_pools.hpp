// Pools planned by job, on a machine where a processor count does not show whether a job fits.
//
// Example: a torus whose jobs take consecutive nodes. fits_now() finds nodes for a job on 4 nodes;
// start() then puts the job on these nodes.
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

    // Processors of the pool that no job uses.
    virtual std::int64_t free_processors(PoolId pool) const = 0;

    // Upper bound: no job on more processors fits now. 0 if none fits.
    virtual ProcCount most_now(PoolId pool) const = 0;

    // True if the job may start now for `length`, which may be 0. start() then uses the places
    // found here.
    virtual bool fits_now(JobId job, Time length) = 0;

    // True only if the job is known not to start now: fits_now() would fail.
    virtual bool is_refused(JobId, Time) { return false; }

    // Same as fits_now(), inside an open reservation of its user and at most until the reservation
    // closes.
    virtual bool fits_inside(JobId job, Time length, std::uint32_t reservation) = 0;

    // Starts a job on the places found last, planned until `planned_end`; returns its places; or
    // moves its planned end.
    virtual void start(JobId job, Time planned_end) = 0;
    virtual void start_inside(JobId job, std::uint32_t reservation, Time planned_end) = 0;
    virtual void vacate(JobId job, Time planned_end) = 0;
    virtual void prolong(JobId job, Time planned_end, Time end) = 0;

    // Earliest start for a job at or after `from`, at one of `starts` if they are given; kNever if
    // there is none. If there is none up to `until`, returns a later time or kNever. Requires
    // length > 0.
    virtual Time earliest(JobId job, Time length, Time from, Time until) = 0;
    Time earliest_start(JobId job, Time length, Time from, Time until, const StartTimes& starts);

    // Reservations in a pool, until they are dropped together. Returns false if there is no place.
    virtual bool reserve(PoolId pool, JobId job, Time length) = 0;
    virtual void reserve_at(PoolId pool, JobId job, Time from, Time length) = 0;
    virtual void drop_reservations(PoolId pool) = 0;

    // Promises: promise() plans a job on [start, start + length). lay() takes that out of the plan
    // (sign −1) or puts it back (1).
    virtual void promise(JobId job, Time start, Time length) = 0;
    virtual void lay(JobId job, int sign) = 0;
    virtual void forget_promise(JobId job) = 0;
    virtual void forget_promises() = 0;

    // False only if a promise in the plan is known to have no earlier start, even without itself in
    // the plan.
    virtual bool may_start_earlier(JobId) { return true; }

    // True if a promise that was taken out of the plan fits, or if its job may start now. In the
    // latter case, start() uses the places found here.
    virtual bool has_room(JobId job) = 0;
    virtual bool fits_promise(JobId job) = 0;

    // True if more may be planned than exists.
    virtual bool is_overdrawn() = 0;

    // Reservations of users.
    virtual bool is_open(std::uint32_t reservation) const = 0;
    virtual Time until(std::uint32_t reservation) const = 0;
    // Unused processors, or nodes, of an open reservation.
    virtual ProcCount left(std::uint32_t reservation) const = 0;
};

} // namespace slotwise
