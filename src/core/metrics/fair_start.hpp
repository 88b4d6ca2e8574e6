// Fair starts. The fair start of a job is the time at which it would have started if no later job
// had arrived (Sabin and Sadayappan, JSSPP 2005).
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

// Computes the fair starts of jobs: the starts that they would have if no later job had arrived.
// "Later" means later in the trace, also for jobs submitted at the same instant. If a job is not
// yet eligible at its submit time, its arrival is the moment at which it becomes eligible.
//
// Example with 4 processors under first-fit: job 0 (3 processors, 10 s) arrives and starts at 0.
// Job 1 (4 processors) arrives at 1 and could start at 10. Job 2 (1 processor, 20 s) arrives at 2,
// fits, and starts. Job 1 therefore starts at 22, which is 12 s after its fair start of 10.
//
// A replay never looks ahead, so the fair start of a job is its start in a replay of only the jobs
// up to and including it. If a job started before the next job arrived, its fair start is its
// actual start. For any other job, the simulator is copied before the instant at which the job
// arrives, and the copy continues without later arrivals until the job starts. The computation
// takes the time of one replay and, for each copy, the time to make it and to replay the job's
// wait. Making a copy takes time linear in the length of the trace.
//
// `schedule` is the finished replay of `table` under `site`; `which` is ascending. Returns one
// value per job in `which`: its fair start, or kNotStarted if it never started. Throws any
// exception that the simulator or `progress` throws.
std::vector<Time> fair_starts(const std::shared_ptr<const JobTable>& table, const Site& site,
                              const Schedule& schedule, std::span<const JobId> which,
                              const Progress& progress = {});

// Returns the time at which each job first started, for comparison with its fair start. `start`
// contains the last start of each job, and `interrupted` contains the jobs' earlier attempts.
std::vector<Time> first_starts(std::span<const Time> start, std::span<const Attempt> interrupted);

// Returns a random sample of `count` of the jobs that started, in ascending order, or all of them
// if there are fewer. Over all seeds, every subset is equally likely. The same seed gives the same
// subset on every platform.
std::vector<JobId> sample_started(const Schedule& schedule, std::size_t count, std::uint64_t seed);

} // namespace slotwise
