// Which queue takes each job of a trace, and which jobs no replay can start.
//
// Example: queues "short" (1 … 64 processors, (0, 3600] s) and "long" (1 … 64, (0, 86400] s)
// overlap. A job of 8 processors for 600 s goes to "short", as it stands first; one of 7200 s to
// "long"; one of 100 processors is rejected.
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

// The site with what it leaves out written down: one pool "machine" of all processors, one queue of
// every job, and for a queue without pools all of them.
Site completed(Site site);

// Immutable once made; of a completed site.
struct Routing {
    Routing(const Site& site, const ReplayJobs& jobs);

    bool rejects(JobId job) const { return reject_reason[job] != 0; }

    // Whether the pool has room for the job between two maintenances.
    bool fits_now(PoolId pool, JobId job) const {
        return without_room.empty() || !without_room.contains(std::uint64_t{job} << 16 | pool);
    }

    std::vector<QueueId> queue_of;           // by job, kNoQueue where none takes it
    std::vector<std::uint8_t> reject_reason; // by job, of RejectReason

    std::shared_ptr<const JobShapes> shapes; // on a machine of nodes

    // Job · 2^16 + pool, where one pool of its queue has no such room and another has.
    std::unordered_set<std::uint64_t> without_room;
};

// Says that it rejects every job, and how many for which reason.
std::string nobody_can_start(const Routing& routing);

// The priority of each job's queue; 0 where none takes it.
std::vector<double> queue_priorities(const Site& site, const Routing& routing);

// Whether a pool is ever open to jobs of a queue.
bool may_open(const Pool& pool, const Queue& queue);

} // namespace slotwise
