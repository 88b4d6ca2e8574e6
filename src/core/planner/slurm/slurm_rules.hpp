// The parameters of Slurm's two schedulers, named as in slurm.conf.
#pragma once

#include "planner/slurm/slurm_jobs.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>

namespace slotwise {

// In fields that limit a number of jobs, 0 means that there is no limit.
struct SlurmRules {
    explicit SlurmRules(const Policy& policy);

    // Returns true if no nodes are reserved for the job while it waits, because it has not waited
    // long enough or its priority is too low.
    bool reserves_nothing(const SlurmJob& job, Time now) const {
        const bool is_low = bf_min_prio_reserve > 0 && job.priority < bf_min_prio_reserve;
        return is_low || now - job.eligible < bf_min_age_reserve;
    }

    bool linear;               // from SelectType
    bool enforces_part_limits; // EnforcePartLimits: jobs that exceed a limit are rejected
    Time sched_interval;       // seconds
    Time sched_min_interval;   // whole seconds; 0 for values below one second
    Time batch_sched_delay;    // seconds
    // After an event, the main scheduler considers one job more than this.
    std::int64_t default_queue_depth;
    std::int64_t partition_job_depth; // number of jobs considered per partition
    // If `defer` is false and `has_epilog` is true, a pass is due as soon as the nodes of a
    // finished job are free. Otherwise, this pass may also have to wait for `batch_sched_delay`.
    bool defer;
    bool has_epilog;
    bool assoc_limit_stop; // in a main pass, a job held back by a limit closes its partition
    Time bf_interval;      // seconds; 0 means no backfill
    std::int64_t bf_max_job_test;
    std::int64_t bf_max_time_jobs;
    // Number of time spans that a backfill cycle may create; 0 means as many as bf_max_job_test.
    std::int64_t bf_node_space_size;
    std::int64_t bf_max_job_user;
    std::int64_t bf_max_job_part;
    std::int64_t bf_max_job_user_part;
    Time bf_window;        // seconds
    Time bf_resolution;    // seconds
    Time bf_window_linear; // seconds by which search windows grow; 0: they double
    std::int64_t bf_job_part_count_reserve;
    double bf_min_prio_reserve;
    Time bf_min_age_reserve; // seconds
    Time calc_period;        // PriorityCalcPeriod, seconds
    Time kill_wait;          // seconds
    Time over_time_limit;    // OverTimeLimit, seconds
    Time epilog;             // seconds that nodes remain unavailable after a job ends
    Time complete_wait;      // CompleteWait, seconds
};

} // namespace slotwise
