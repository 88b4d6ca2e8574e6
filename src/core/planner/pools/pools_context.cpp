#include "planner/pools/pools_context.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

// Jobs that can never be placed are rejected when they are submitted. This error reports a job that
// should have been rejected.
void PoolsContext::refuse_endless_search(JobId job) const {
    const auto& ids = jobs.table->job_id;
    throw std::runtime_error(
        "no start is found for job " + std::to_string(ids.empty() ? job : ids[job]) + ", of " +
        std::to_string(jobs.processors[job]) + " processors for " +
        std::to_string(jobs.requested_time[job]) +
        " s: recurring downtimes of the calendar leave no room, and it should have been rejected; "
        "remove the job, and report this as a bug in Slotwise");
}

} // namespace slotwise
