// Creates a copy of a job table with additional rows.
#pragma once

#include "types.hpp"
#include "workload/dependency_lists.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// A row to be added. The value -1 means "unknown".
struct NewJob {
    std::int64_t submit;
    std::int64_t run_time;
    std::int64_t requested_time;
    std::int64_t processors;
    std::int64_t job_id;
    std::int32_t user = -1;
    std::int32_t group = -1;
    std::int32_t executable = -1;
    std::int32_t queue = -1;
    std::int32_t partition = -1;
    std::int64_t preceding_job = -1;
    std::int64_t think_time = -1;
    std::int32_t has_request = -1;
    std::int64_t eligible = -1;
    std::int64_t array_id = -1;
    std::int64_t array_task = -1;
    std::int64_t array_limit = -1;
    std::int32_t dependency = -1; // code of `conditions`
    std::vector<Condition> conditions;
};

struct GrownTable {
    JobTable table;
    std::vector<JobId> row_of; // indexed by row of the old table
    std::vector<JobId> added;  // the rows of the new jobs, in the given order
};

// Inserts each job after all rows with the same or an earlier submit time. Jobs with the same
// submit time are inserted in the given order. Throws the same exceptions as check(JobTable).
GrownTable grown(const JobTable& table, std::span<const NewJob> jobs);

} // namespace slotwise
