// Pools whose recurring downtimes leave long enough gaps for a job.
#pragma once

#include "admission/maintenance_gaps.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// The downtimes are periodic drains and periodic reservations. A job also fits into a reservation
// of its own user or group. It starts when a pass runs and its queue is open. The site must be
// completed, and must outlive this object.
class PoolGaps {
  public:
    PoolGaps(const Site& site, Time first_submit);

    // True if there is a recurring window, or a queue that is never open during a pass.
    bool any() const { return any_; }

    // True if `pools` together ever have the processors of the job for its whole requested_time (at
    // least 1 s), with no other job on the machine.
    bool fit(const ReplayJobs& jobs, JobId job, QueueId queue, std::span<const PoolId> pools) const;

    // Same as fit() for `processors` over `length` >= 1.
    bool keep(ProcCount processors, Time length, QueueId queue,
              std::span<const PoolId> pools) const;

    // True if the job fits into a periodic reservation of its user or group in one of these pools.
    bool fits_inside(const ReplayJobs& jobs, JobId job, QueueId queue,
                     std::span<const PoolId> pools) const;

  private:
    struct OfHours { // for all queues with the same opening hours
        StartTimes starts;
        std::vector<MaintenanceGaps> gaps; // one per pool
        std::vector<Time> inside;          // per reservation: longest time in it; 0 unless periodic
    };

    OfHours of_hours(const Queue& queue, Time first_submit) const;
    Time longest_estimate(const ReplayJobs& jobs, JobId job) const;

    const Site& site_;
    bool any_ = false;
    std::vector<OfHours> hours_;
    std::vector<std::size_t> hours_of_; // one per queue
};

} // namespace slotwise
