// Columns of waiting jobs, as doubles, for orders written by users.
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
    queue_priority, // priority of the job's queue; 0 without queues
    job_id,
    user,
    group,
    executable,
    queue, // queue number in the trace
    partition,
    requested_processors,
    requested_memory, // KB per processor
    preceding_job,
    think_time,
};

// In the order of JobColumn.
std::span<const std::string_view> job_column_names();

// True for columns of a trace that are known only after jobs have ended.
bool is_of_ended_jobs(std::string_view name);

// Throws std::invalid_argument, listing the known columns, or giving the reason why a trace column
// is not available.
JobColumn find_job_column(std::string_view name);

// Fills out[i] with the value for which[i] at `now`; -1 if the trace has no such column.
void load_column(JobColumn column, const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                 std::span<double> out);

// Throws OrderError, naming `order` and the first such job, if a key is NaN.
void check_keys(const std::string& order, const ReplayJobs& jobs, std::span<const JobId> which,
                Time now, std::span<const double> keys);

} // namespace slotwise
