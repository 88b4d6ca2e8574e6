// Pools planned by job, on a machine where a count of processors does not say if a job fits.
//
// Example: a torus whose jobs take consecutive nodes. A job on 4 nodes asks if it fits now; start()
// then puts it on the nodes that the question found.
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

    // Processors of the pool that no job has.
    virtual std::int64_t free_processors(PoolId pool) const = 0;

    // Upper bound: no job on more processors fits now. 0 if none fits.
    virtual ProcCount most_now(PoolId pool) const = 0;

    // True if the job may start now for `length`, which may be 0: on the places that start() takes
    // next.
    virtual bool fits_now(JobId job, Time length) = 0;

    // True only where it is known that the job cannot start now: fits_now() would fail.
    virtual bool is_refused(JobId, Time) { return false; }

    // The same inside an open reservation of its user, for as long as that is open.
    virtual bool fits_inside(JobId job, Time length, std::uint32_t reservation) = 0;

    // A job starts on the places found last, or gives them back, planned until `planned_end`; or it
    // is planned until another end.
    virtual void start(JobId job, Time planned_end) = 0;
    virtual void start_inside(JobId job, std::uint32_t reservation, Time planned_end) = 0;
    virtual void vacate(JobId job, Time planned_end) = 0;
    virtual void prolong(JobId job, Time planned_end, Time end) = 0;

    // Earliest start for a job, from `from` on, at one of `starts` if they are given; kNever if
    // there is none, a later time or kNever if there is none up to `until`. length > 0.
    virtual Time earliest(JobId job, Time length, Time from, Time until) = 0;
    Time earliest_start(JobId job, Time length, Time from, Time until, const StartTimes& starts);

    // Reservations in a pool, until they are dropped together. False: there is no place.
    virtual bool reserve(PoolId pool, JobId job, Time length) = 0;
    virtual void reserve_at(PoolId pool, JobId job, Time from, Time length) = 0;
    virtual void drop_reservations(PoolId pool) = 0;

    // Promises: a job is promised [start, start + length), which enters the plan. It is taken out
    // of the plan (sign −1), and put in again (1) or forgotten.
    virtual void promise(JobId job, Time start, Time length) = 0;
    virtual void lay(JobId job, int sign) = 0;
    virtual void forget_promise(JobId job) = 0;
    virtual void forget_promises() = 0;

    // False only where it is known that a promise in the plan has no earlier start without itself.
    virtual bool may_start_earlier(JobId) { return true; }

    // True where a promise that is out of the plan has room; where it may start now, on the places
    // that start() takes next.
    virtual bool has_room(JobId job) = 0;
    virtual bool fits_promise(JobId job) = 0;

    // True where more may be planned than there is.
    virtual bool is_overdrawn() = 0;

    // Reservations of users.
    virtual bool is_open(std::uint32_t reservation) const = 0;
    virtual Time until(std::uint32_t reservation) const = 0;
    // Processors, or nodes, of an open one that no job has.
    virtual ProcCount left(std::uint32_t reservation) const = 0;
};

} // namespace slotwise
