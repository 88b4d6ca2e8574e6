#include "order/job_columns.hpp"

#include "order/order.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace slotwise {

namespace {

constexpr std::array<std::string_view, 16> kNames = {
    "submit",
    "wait",
    "requested_time",
    "processors",
    "area",
    "queue_priority",
    "job_id",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "requested_processors",
    "requested_memory",
    "preceding_job",
    "think_time",
};

constexpr std::array<std::string_view, 7> kOfEndedJobs = {
    "run_time", "cpu_time", "used_memory", "status", "allocated_processors", "start", "end",
};

template <class Column>
void gather(const Column& column, std::span<const JobId> which, double* out) {
    const auto* values = column.data();
    for (std::size_t i = 0; i < which.size(); ++i)
        out[i] = static_cast<double>(values[which[i]]);
}

template <class Value>
void gather_if_any(const std::vector<Value>& column, std::span<const JobId> which, double* out) {
    column.empty() ? static_cast<void>(std::fill_n(out, which.size(), -1.0))
                   : gather(column, which, out);
}

void gather_requests(const ReplayJobs& jobs, std::span<const JobId> which, double* out) {
    for (std::size_t i = 0; i < which.size(); ++i)
        out[i] = request_of(jobs, which[i]);
}

void gather_area(const ReplayJobs& jobs, std::span<const JobId> which, double* out) {
    for (std::size_t i = 0; i < which.size(); ++i)
        out[i] = request_of(jobs, which[i]) * static_cast<double>(jobs.processors[which[i]]);
}

void gather_wait(const ReplayJobs& jobs, std::span<const JobId> which, Time now, double* out) {
    const std::int64_t* submit = jobs.table->submit.data();
    for (std::size_t i = 0; i < which.size(); ++i)
        out[i] = static_cast<double>(now - submit[which[i]]);
}

std::string listed(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

} // namespace

std::span<const std::string_view> job_column_names() {
    return kNames;
}

bool is_of_ended_jobs(std::string_view name) {
    return std::find(kOfEndedJobs.begin(), kOfEndedJobs.end(), name) != kOfEndedJobs.end();
}

JobColumn find_job_column(std::string_view name) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found != kNames.end()) return static_cast<JobColumn>(found - kNames.begin());
    throw std::invalid_argument(
        (is_of_ended_jobs(name) ? "'" + std::string(name) + "' is not yet known while a job waits"
                                : "unknown column '" + std::string(name) + "'") +
        "; known names are: " + listed(kNames));
}

void load_column(JobColumn column, const ReplayJobs& jobs, std::span<const JobId> which, Time now,
                 std::span<double> out) {
    const JobTable& table = *jobs.table;
    double* to = out.data();
    switch (column) {
    case JobColumn::submit:
        return gather(table.submit, which, to);
    case JobColumn::wait:
        return gather_wait(jobs, which, now, to);
    case JobColumn::requested_time:
        return gather_requests(jobs, which, to);
    case JobColumn::processors:
        return gather(jobs.processors, which, to);
    case JobColumn::area:
        return gather_area(jobs, which, to);
    case JobColumn::queue_priority:
        if (jobs.queue_priority.empty())
            return static_cast<void>(std::fill_n(to, which.size(), 0.0));
        return gather(jobs.queue_priority, which, to);
    case JobColumn::job_id:
        return gather_if_any(table.job_id, which, to);
    case JobColumn::user:
        return gather_if_any(table.user, which, to);
    case JobColumn::group:
        return gather_if_any(table.group, which, to);
    case JobColumn::executable:
        return gather_if_any(table.executable, which, to);
    case JobColumn::queue:
        return gather_if_any(table.queue, which, to);
    case JobColumn::partition:
        return gather_if_any(table.partition, which, to);
    case JobColumn::requested_processors:
        return table.requested_processors.empty() ? gather(jobs.processors, which, to)
                                                  : gather(table.requested_processors, which, to);
    case JobColumn::requested_memory:
        return gather_if_any(table.requested_memory, which, to);
    case JobColumn::preceding_job:
        return gather_if_any(table.preceding_job, which, to);
    case JobColumn::think_time:
        return gather_if_any(table.think_time, which, to);
    }
}

void check_keys(const std::string& order, const ReplayJobs& jobs, std::span<const JobId> which,
                Time now, std::span<const double> keys) {
    std::int64_t n_wrong = 0; // as wide as a key, so that the compiler vectorises the loop
    for (const double key : keys)
        n_wrong += key != key;
    if (n_wrong == 0) return;
    const auto at = static_cast<std::size_t>(
        std::find_if(keys.begin(), keys.end(), [](double key) { return key != key; }) -
        keys.begin());
    const JobId job = which[at];
    const std::vector<std::int64_t>& ids = jobs.table->job_id;
    throw OrderError("order " + order + " gives job " +
                     std::to_string(ids.empty() ? std::int64_t{job} + 1 : ids[job]) +
                     " (position " + std::to_string(job) + " in the trace) the key NaN at " +
                     std::to_string(now) + " s; a key must be a number");
}

} // namespace slotwise
