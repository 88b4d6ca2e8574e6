// What every measure looks at: the columns of a finished replay, borrowed from the trace and the
// schedule.
#pragma once

#include "engine/schedule.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace slotwise {

// One value a job of the trace in each column; the owners outlive the view.
struct ReplayColumns {
    std::span<const Time> submit; // ascending
    std::span<const std::int64_t> processors;
    std::span<const Time> start; // kNotStarted where the job never ran
    std::span<const Time> end;
    std::span<const std::uint8_t> state;
    std::span<const std::uint8_t> backfilled;
    std::int64_t machine; // processors of the machine, > 0

    std::size_t size() const { return submit.size(); }
    bool started(std::size_t job) const { return start[job] != kNotStarted; }
    Time wait(std::size_t job) const { return start[job] - submit[job]; }
    Time run(std::size_t job) const { return end[job] - start[job]; }
    Time response(std::size_t job) const { return end[job] - submit[job]; }
};

ReplayColumns columns_of(const JobTable& table, const Schedule& schedule, std::int64_t machine);

// Throws std::invalid_argument naming the row unless the columns have equal lengths, submit
// ascends, a job that ran satisfies submit <= start <= end <= 2 kMaxTime, one that did not has
// start and end kNotStarted, and the machine has a processor.
void check(const ReplayColumns& columns);

} // namespace slotwise
