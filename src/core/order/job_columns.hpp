// The columns of waiting jobs that an order of the user's own may read, as doubles.
#pragma once

#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotwise {

enum class JobColumn : std::uint8_t {
    submit,         // seconds on the trace's clock
    wait,           // now - submit
    requested_time, // seconds, at least 1
    processors,
    area,           // requested_time x processors
    queue_priority, // of the job's queue, 0 without queues
    job_id,
    user,
    group,
    executable,
    queue, // the trace's number
    partition,
    requested_processors,
    requested_memory, // KB a processor
    preceding_job,
    think_time,
};

// In the order of JobColumn.
std::span<const std::string_view> job_column_names();

// Whether a trace has it, but only of jobs that have ended.
bool is_of_ended_jobs(std::string_view name);

// Throws std::invalid_argument listing the known, or saying why a column of the trace is not there.
JobColumn find_job_column(std::string_view name);

// Fills out[i] with the value for which[i] at `now`; -1 where the trace has no such column.
void load_column(JobColumn column, const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                 std::span<double> out);

// Throws OrderError naming `order` and the first job whose key is NaN.
void check_keys(const std::string& order, const ReplayJobs& jobs, std::span<const JobId> which,
                Time now, std::span<const double> keys);

} // namespace slotwise
