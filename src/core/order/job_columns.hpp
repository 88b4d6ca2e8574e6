// The columns of waiting jobs that user-defined orders can read. All values are doubles.
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

// Returns the names of the columns, in the order of JobColumn.
std::span<const std::string_view> job_column_names();

// Returns true if the values of this trace column are known only after the jobs have ended.
bool is_of_ended_jobs(std::string_view name);

// Returns the column with this name. If there is none, throws std::invalid_argument with a list of
// the known columns. If the trace has the column but orders cannot read it, the message says why.
JobColumn find_job_column(std::string_view name);

// Sets out[i] to the value of the column for job which[i] at time `now`, or to -1 if the trace does
// not have this column.
void load_column(JobColumn column, const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                 std::span<double> out);

// Throws OrderError if a key is NaN. The message names `order` and the first job with such a key.
void check_keys(const std::string& order, const ReplayJobs& jobs, std::span<const JobId> which,
                Time now, std::span<const double> keys);

} // namespace slotwise
