// Determines the queue of each job in a trace, and the jobs that can never start.
//
// Example: queues "short" (1 to 64 processors, more than 0 s and up to 3600 s) and "long" (1 to 64
// processors, more than 0 s and up to 86400 s) overlap. A job on 8 processors for 600 s is put into
// "short", which comes first; a job for 7200 s is put into "long"; a job on 100 processors is
// rejected.
#pragma once

#include "machine/nodes/job_shapes.hpp"
#include "replay/replay_jobs.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace slotwise {

// Immutable. The site must come from completed().
struct Routing {
    // If a job in `jobs` has no requested time, it gets the default of its queue.
    Routing(const Site& site, ReplayJobs& jobs);

    bool rejects(JobId job) const { return reject_reason[job] != 0; }

    // Returns true if the pool has a gap between two maintenance windows that is long enough for
    // the job.
    bool fits_now(PoolId pool, JobId job) const {
        return without_room.empty() || !without_room.contains(std::uint64_t{job} << 16 | pool);
    }

    std::vector<QueueId> queue_of;           // queue of each job; kNoQueue if no queue accepts it
    std::vector<std::uint8_t> reject_reason; // for each job, a RejectReason

    std::shared_ptr<const JobShapes> shapes; // shapes of jobs; null on a machine without nodes

    // Pairs of a job and a pool, encoded as job · 2^16 + pool. In each pair, the pool has no gap
    // that is long enough for the job, but another pool of the job's queue has one.
    std::unordered_set<std::uint64_t> without_room;
};

// Returns the error message for a trace in which every job is rejected. It gives the number of jobs
// for each reason.
std::string nobody_can_start(const Routing& routing);

// Returns the priority of each job's queue, or 0 if no queue accepts the job.
std::vector<double> queue_priorities(const Site& site, const Routing& routing);

// Returns true if the pool is ever open to jobs of the queue.
bool may_open(const Pool& pool, const Queue& queue);

} // namespace slotwise
