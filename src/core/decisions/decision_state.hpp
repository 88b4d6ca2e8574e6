// The state of a replay in which an outside agent decides. Its size grows with the numbers of
// waiting and running jobs.
#pragma once

#include "decisions/running_jobs.hpp"
#include "decisions/start_log.hpp"
#include "decisions/totals.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

struct DecisionState {
    std::size_t rule = 0; // the current policy
    JobId first = 0;      // first job of the episode
    JobId last = 0;
    JobId next = 0; // next job to arrive
    std::size_t n_jobs = 0;
    Time now = 0;
    Time next_choice = 0; // time at which the next policy is chosen
    ProcCount free = 0;
    std::int64_t waiting_processors = 0;
    double presence = 0; // sum of 1 / run time over jobs that wait or run
    bool done = true;
    bool pass_due = false;
    bool has_chosen = false; // true if the agent has chosen a policy
    bool has_moved = false;  // true if an event has happened since the last choice
    JobId kept = kNoJob;     // job that stays the head until it starts
    std::int64_t n_masked = 0;
    std::vector<JobId> waiting; // in the policy's order
    RunningJobs running;
    StartLog starts;
    Totals totals;
};

} // namespace slotwise
