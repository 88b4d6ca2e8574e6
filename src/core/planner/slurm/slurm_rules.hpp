// Parameters of Slurm's two schedulers, as slurm.conf names them.
#pragma once

#include "planner/slurm/slurm_jobs.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>

namespace slotwise {

// A count of 0 means no bound, unless noted otherwise.
struct SlurmRules {
    explicit SlurmRules(const Policy& policy);

    // True if no node is kept for the job while it waits: it is too young, or its priority too low.
    bool reserves_nothing(const SlurmJob& job, Time now) const {
        const bool is_low = bf_min_prio_reserve > 0 && job.priority < bf_min_prio_reserve;
        return is_low || now - job.eligible < bf_min_age_reserve;
    }

    bool linear;                      // SelectType
    bool enforces_part_limits;        // EnforcePartLimits: jobs above a limit are rejected
    Time sched_interval;              // seconds
    Time batch_sched_delay;           // seconds
    std::int64_t default_queue_depth; // jobs that the main scheduler considers after an event
    std::int64_t partition_job_depth; // the same, of each partition
    bool defer;                       // the main scheduler runs only at intervals
    bool assoc_limit_stop; // a job that a limit holds back closes its partition in a main pass
    Time bf_interval;      // seconds; 0: no backfill
    std::int64_t bf_max_job_test;
    std::int64_t bf_max_time_jobs;
    std::int64_t bf_node_space_size; // spans that a cycle may make; 0: as many as bf_max_job_test
    std::int64_t bf_max_job_user;
    std::int64_t bf_max_job_part;
    std::int64_t bf_max_job_user_part;
    Time bf_window;        // seconds
    Time bf_resolution;    // seconds
    Time bf_window_linear; // seconds; 0: windows double
    std::int64_t bf_job_part_count_reserve;
    double bf_min_prio_reserve;
    Time bf_min_age_reserve; // seconds
    Time calc_period;        // PriorityCalcPeriod, seconds
    Time kill_wait;          // seconds
    Time over_time_limit;    // OverTimeLimit, seconds
    Time epilog;             // seconds for which nodes are completing after an end
    Time complete_wait;      // CompleteWait, seconds
};

} // namespace slotwise
