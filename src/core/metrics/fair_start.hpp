// Fair start: the start that a job would have had if no later job had arrived (Sabin and
// Sadayappan, JSSPP 2005).
#pragma once

#include "engine/simulator.hpp"
#include "replay/schedule.hpp"
#include "site/policy.hpp"
#include "types.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// "Later" means later in the trace, so jobs submitted at the same instant count in trace order. A
// job that is eligible after its submit time arrives when it is eligible.
//
//   Machine with 4 processors, first-fit. Job 0 (3 processors, 10 s) arrives and starts at 0. Job 1
//   (4 processors) arrives at 1 and could start at 10. Job 2 (1 processor, 20 s) arrives at 2,
//   fits, and starts: job 1 now starts at 22, 12 s after its fair start of 10.
//
// A replay never looks ahead: the fair start of a job is its start in the replay of the jobs up to
// it. A job that started before the next job arrived has its real start as its fair start. For any
// other job, the simulator is copied before the instant at which the job arrives; the copy
// continues without later arrivals until the job starts. This takes the time of one replay and, for
// each such job, the time of a copy (linear in the trace) and of the events while the job waits.
//
// `schedule` is the finished replay of `table` under `site`; `which` ascends. Returns one value per
// job in `which`; kNotStarted for a job that never started. Throws as the simulator and
// `progress` do.
std::vector<Time> fair_starts(const std::shared_ptr<const JobTable>& table, const Site& site,
                              const Schedule& schedule, std::span<const JobId> which,
                              const Progress& progress = {});

// First start of each job, from the last starts and the interrupted attempts. Fair starts are
// compared with these first starts.
std::vector<Time> first_starts(std::span<const Time> start, std::span<const Attempt> interrupted);

// `count` of the jobs that started, ascending; all of them if there are fewer. Over all seeds,
// every subset is equally likely; a seed gives the same subset on every platform.
std::vector<JobId> sample_started(const Schedule& schedule, std::size_t count, std::uint64_t seed);

} // namespace slotwise
