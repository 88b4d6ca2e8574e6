// Finds the pools whose recurring downtimes leave gaps that are long enough for a job.
#pragma once

#include "admission/maintenance_gaps.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// Downtimes here are periodic drains and periodic reservations. A job may also fit into a
// reservation of its own user or group. A job starts only when a pass runs while its queue is open.
// The site must come from completed(), and must outlive this object.
class PoolGaps {
  public:
    PoolGaps(const Site& site, Time first_submit);

    // Returns true if there is any recurring window, or any queue that is never open when a pass
    // runs.
    bool any() const { return any_; }

    // Returns true if the job could ever run on these pools together if no other jobs were running.
    // The job is assumed to run for the time that longest_estimate() returns.
    bool fit(const ReplayJobs& jobs, JobId job, QueueId queue, std::span<const PoolId> pools) const;

    // Returns true if these pools together would ever have `processors` processors available for
    // `length` if no jobs were running. Requires length >= 1.
    bool keep(ProcCount processors, Time length, QueueId queue,
              std::span<const PoolId> pools) const;

    // Returns true if the job fits into a periodic reservation of its user or group in one of these
    // pools.
    bool fits_inside(const ReplayJobs& jobs, JobId job, QueueId queue,
                     std::span<const PoolId> pools) const;

  private:
    struct OfHours { // data for all queues with the same opening hours
        StartTimes starts;
        std::vector<MaintenanceGaps> gaps; // one element per pool
        // For each reservation, the longest time that a job can run inside one of its windows; 0 if
        // it does not recur.
        std::vector<Time> inside;
    };

    OfHours of_hours(const Queue& queue, Time first_submit) const;
    Time longest_estimate(const ReplayJobs& jobs, JobId job) const;

    const Site& site_;
    bool any_ = false;
    std::vector<OfHours> hours_;
    std::vector<std::size_t> hours_of_; // for each queue, its position in hours_
};

} // namespace slotwise
