#include "planner/pools/pools_context.hpp"

#include <stdexcept>
#include <string>

namespace slotwise {

// A job for which there is no place is rejected as it is submitted: this is for what that
// overlooks.
void PoolsContext::refuse_endless_search(JobId job) const {
    const auto& ids = jobs.table->job_id;
    throw std::runtime_error(
        "no place is found for job " + std::to_string(ids.empty() ? job : ids[job]) + ", of " +
        std::to_string(jobs.processors[job]) + " processors for " +
        std::to_string(jobs.requested_time[job]) +
        " s: what recurs in the calendar always bars the way, though it should have been rejected; "
        "leave the job out, and report this as a fault of Slotwise");
}

} // namespace slotwise
