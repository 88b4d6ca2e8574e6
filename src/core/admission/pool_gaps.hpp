// Which pools have room for a job between the windows that come back for ever.
#pragma once

#include "admission/maintenance_gaps.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// The windows are those of periodic drains and of periodic reservations; a job fits into a
// reservation of its own user or group. It starts as a pass runs, while its queue is open. Of a
// completed site, which outlives it.
class PoolGaps {
  public:
    PoolGaps(const Site& site, Time first_submit);

    // Whether there is a window at all, or a queue that is open at no pass.
    bool any() const { return any_; }

    // Whether `pools`, each with what it has then, ever keep the processors of a job of the queue
    // for its whole requested_time (at least 1 s), as if it were alone.
    bool fit(const ReplayJobs& jobs, JobId job, QueueId queue, std::span<const PoolId> pools) const;

    // The same for so many processors over `length` >= 1.
    bool keep(ProcCount processors, Time length, QueueId queue,
              std::span<const PoolId> pools) const;

    // Whether a periodic reservation of its user or group in one of these does.
    bool fits_inside(const ReplayJobs& jobs, JobId job, QueueId queue,
                     std::span<const PoolId> pools) const;

  private:
    struct OfHours { // of the queues that have the same
        StartTimes starts;
        std::vector<MaintenanceGaps> rooms; // by pool
        std::vector<Time> inside; // by reservation: the longest time in it, if it is periodic
    };

    OfHours of_hours(const Queue& queue, Time first_submit) const;
    Time longest_believed(const ReplayJobs& jobs, JobId job) const;

    const Site& site_;
    bool any_ = false;
    std::vector<OfHours> hours_;
    std::vector<std::size_t> hours_of_; // by queue
};

// Whether a job of this user and group is one the reservation is for.
bool is_for(const UserReservation& reservation, std::int32_t user, std::int32_t group);

} // namespace slotwise
