// The columns of a finished replay that metrics read, borrowed from the trace and the
// schedule.
#pragma once

#include "replay/schedule.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Each column has one value per job in the trace; the owners of the columns must outlive the view.
struct ReplayColumns {
    std::span<const Time> submit; // ascending
    std::span<const std::int64_t> processors;
    std::span<const Time> start; // kNotStarted if the job never ran
    std::span<const Time> end;
    std::span<const std::uint8_t> state;
    std::span<const std::uint8_t> backfilled;
    std::int64_t machine; // processors of the machine, > 0

    // Effects of the calendar.
    bool has_calendar = false;
    std::span<const Attempt> interrupted = {};
    std::span<const CapacityChange> capacity = {};
    const Placements* placements = nullptr; // null: nodes have no positions
    // Per job: seconds spent in attempts before the last, and the work that these saved. Empty if
    // there were no earlier attempts.
    std::vector<Time> spent = {};
    std::vector<Time> saved = {};

    std::size_t size() const { return submit.size(); }
    bool started(std::size_t job) const { return start[job] != kNotStarted; }

    // Total time in the queue.
    Time wait(std::size_t job) const {
        return start[job] - submit[job] - (spent.empty() ? 0 : spent[job]);
    }
    // Total run time without work that had to be repeated.
    Time run(std::size_t job) const {
        return end[job] - start[job] + (saved.empty() ? 0 : saved[job]);
    }
    Time response(std::size_t job) const { return end[job] - submit[job]; }
};

// The columns of a schedule of jobs with these submit times, processors, `spent` and `saved`.
ReplayColumns columns_of(std::span<const Time> submit, std::span<const std::int64_t> processors,
                         const Schedule& schedule, std::int64_t machine);

ReplayColumns columns_of(const JobTable& table, const Schedule& schedule, std::int64_t machine);

// Throws std::invalid_argument, naming the row, unless the columns have equal lengths, submit times
// ascend, a job that ran satisfies submit <= start <= end <= 2 kMaxTime, one that did not has start
// and end kNotStarted, and the machine has a processor.
void check(const ReplayColumns& columns);

} // namespace slotwise
