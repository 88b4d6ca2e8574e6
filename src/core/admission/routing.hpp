// The queue that takes each job of a trace, and the jobs that can never start.
//
// Example: queues "short" (1 … 64 processors, (0, 3600] s) and "long" (1 … 64, (0, 86400] s)
// overlap. A job of 8 processors for 600 s goes to "short", which comes first; a job of 7200 s goes
// to "long"; a job of 100 processors is rejected.
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

// Immutable. Requires a completed site.
struct Routing {
    // Jobs without a requested time get their queue's default, which is written to `jobs`.
    Routing(const Site& site, ReplayJobs& jobs);

    bool rejects(JobId job) const { return reject_reason[job] != 0; }

    // True if the pool has a gap between two maintenance windows that is long enough for the job.
    bool fits_now(PoolId pool, JobId job) const {
        return without_room.empty() || !without_room.contains(std::uint64_t{job} << 16 | pool);
    }

    std::vector<QueueId> queue_of;           // one per job; kNoQueue if no queue takes it
    std::vector<std::uint8_t> reject_reason; // per job: a RejectReason

    std::shared_ptr<const JobShapes> shapes; // only on a machine with nodes

    // Job · 2^16 + pool, for pools without such a gap while another pool of the queue has one.
    std::unordered_set<std::uint64_t> without_room;
};

// Error message if every job is rejected, with the number of jobs per reason.
std::string nobody_can_start(const Routing& routing);

// Priority of each job's queue; 0 if no queue takes it.
std::vector<double> queue_priorities(const Site& site, const Routing& routing);

// True if some pool is ever open to jobs of the queue.
bool may_open(const Pool& pool, const Queue& queue);

} // namespace slotwise
