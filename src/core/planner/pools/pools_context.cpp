#include "planner/pools/pools_context.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

// Jobs that can never be placed are rejected when they are submitted. This error reports a job that
// should have been rejected.
void PoolsContext::refuse_endless_search(JobId job) const {
    const auto& ids = jobs.table->job_id;
    throw std::runtime_error(
        "no start time was found for job " + std::to_string(ids.empty() ? job : ids[job]) +
        " (processors: " + std::to_string(jobs.processors[job]) +
        ", requested time: " + std::to_string(jobs.requested_time[job]) +
        " s): recurring downtimes leave no room, so the job should have been rejected; "
        "remove the job, and report this as a bug in Slotwise");
}

} // namespace slotwise
