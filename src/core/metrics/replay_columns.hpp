// A view of a finished replay: the columns from which metrics are computed. The columns belong to
// the trace and the schedule.
#pragma once

#include "replay/schedule.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Each column has one value per job in the trace. The owners of the columns must outlive this view.
struct ReplayColumns {
    std::span<const Time> submit; // ascending
    std::span<const std::int64_t> processors;
    std::span<const Time> start; // start time; kNotStarted if the job never ran
    std::span<const Time> end;
    std::span<const std::uint8_t> state;
    std::span<const std::uint8_t> backfilled;
    std::int64_t machine; // processors of the machine, > 0

    // The next three members describe the effects of the calendar.
    bool has_calendar = false;
    std::span<const Attempt> interrupted = {};
    std::span<const CapacityChange> capacity = {};
    const Placements* placements = nullptr; // null if nodes have no positions
    // For each job, the seconds spent in all attempts but the last, and the work that these
    // attempts saved. Both are empty if no job had an earlier attempt.
    std::vector<Time> spent = {};
    std::vector<Time> saved = {};

    std::size_t size() const { return submit.size(); }
    bool started(std::size_t job) const { return start[job] != kNotStarted; }

    // Returns the total time that the job spent in the queue.
    Time wait(std::size_t job) const {
        return start[job] - submit[job] - (spent.empty() ? 0 : spent[job]);
    }
    // Returns the total run time of the job, without work that had to be repeated.
    Time run(std::size_t job) const {
        return end[job] - start[job] + (saved.empty() ? 0 : saved[job]);
    }
    Time response(std::size_t job) const { return end[job] - submit[job]; }
};

// Returns the columns of a schedule. `submit` and `processors` describe its jobs. `spent` and
// `saved` are computed from its interrupted attempts.
ReplayColumns columns_of(std::span<const Time> submit, std::span<const std::int64_t> processors,
                         const Schedule& schedule, std::int64_t machine);

ReplayColumns columns_of(const JobTable& table, const Schedule& schedule, std::int64_t machine);

// Throws std::invalid_argument, naming the row, if the columns are not valid. All columns must have
// the same length, submit times must be ascending, and the machine must have at least one
// processor. For a job that ran, submit <= start <= end <= 2 kMaxTime; for any other job, start and
// end are kNotStarted.
void check(const ReplayColumns& columns);

} // namespace slotwise
