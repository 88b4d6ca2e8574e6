#include "metrics/replay_columns.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

[[noreturn]] void refuse(const char* column, std::size_t row, std::int64_t value,
                         const char* rule) {
    throw std::invalid_argument(std::string(column) + "[" + std::to_string(row) + "] is " +
                                std::to_string(value) + "; " + rule);
}

void check_length(const char* column, std::size_t length, std::size_t jobs) {
    if (length == jobs) return;
    throw std::invalid_argument(std::string(column) + " has " + std::to_string(length) +
                                " values and submit has " + std::to_string(jobs) +
                                "; give every column one value per job");
}

void check_row(const ReplayColumns& columns, std::size_t job) {
    constexpr std::int64_t widest = std::numeric_limits<ProcCount>::max();
    const Time submit = columns.submit[job], start = columns.start[job], end = columns.end[job];
    if (submit < 0 || submit > kMaxTime)
        refuse("submit", job, submit, "it must lie between 0 and 2^53 seconds");
    if (job > 0 && submit < columns.submit[job - 1])
        refuse("submit", job, submit, "rows must be sorted by submit");
    if (columns.processors[job] <= 0 || columns.processors[job] > widest)
        refuse("processors", job, columns.processors[job], "it must lie between 1 and 2^31 - 1");
    if (start == kNotStarted) {
        if (end != kNotStarted)
            refuse("end", job, end, "a job that never started (start -1) must also have end -1");
        return;
    }
    if (start < submit)
        refuse("start", job, start, "a job must start at or after its submit time, or never (-1)");
    if (end < start || end > 2 * kMaxTime)
        refuse("end", job, end, "a job must end at or after its start, and by 2^54 seconds");
}

} // namespace

ReplayColumns columns_of(std::span<const Time> submit, std::span<const std::int64_t> processors,
                         const Schedule& schedule, std::int64_t machine) {
    ReplayColumns columns{submit,         processors,          schedule.start, schedule.end,
                          schedule.state, schedule.backfilled, machine};
    columns.has_calendar = schedule.has_calendar;
    columns.interrupted = schedule.interrupted;
    columns.capacity = schedule.capacity;
    if (!schedule.placements.empty()) columns.placements = &schedule.placements;
    for (const Attempt& attempt : schedule.interrupted) {
        if (!attempt.requeued || attempt.job >= submit.size()) continue;
        columns.spent.resize(submit.size());
        columns.saved.resize(submit.size());
        columns.spent[attempt.job] += attempt.end - attempt.start;
        columns.saved[attempt.job] += attempt.saved;
    }
    return columns;
}

ReplayColumns columns_of(const JobTable& table, const Schedule& schedule, std::int64_t machine) {
    return columns_of(table.submit, table.processors, schedule, machine);
}

void check(const ReplayColumns& columns) {
    if (columns.machine <= 0)
        throw std::invalid_argument("processors is " + std::to_string(columns.machine) +
                                    "; a machine must have at least one processor");
    const std::size_t jobs = columns.size();
    check_length("processors", columns.processors.size(), jobs);
    check_length("start", columns.start.size(), jobs);
    check_length("end", columns.end.size(), jobs);
    check_length("state", columns.state.size(), jobs);
    check_length("backfilled", columns.backfilled.size(), jobs);
    for (std::size_t job = 0; job < jobs; ++job)
        check_row(columns, job);
    for (const Attempt& attempt : columns.interrupted)
        if (attempt.job >= jobs)
            throw std::invalid_argument("an interrupted attempt has the job position " +
                                        std::to_string(attempt.job) + "; there are " +
                                        std::to_string(jobs) + " jobs");
}

} // namespace slotwise
