// Registers Slurm's schedulers. Their parameters have the same names as in slurm.conf.
#include "planner/slurm/slurm_planner.hpp"
#include "site/backfill.hpp"

namespace slotwise {

namespace {

constexpr double kMost = 2147483647;

// Upper bounds on parameters, from slurm.conf(5).
constexpr double kMostSeconds = 65533; // bound on CompleteWait and similar waits
constexpr double kMostInterval = 10800;
constexpr double kMostWindow = 43200; // minutes
constexpr double kMostResolution = 3600;
constexpr double kMostTested = 1'000'000;
constexpr double kMostReserved = 100'000;
constexpr double kMostAge = 2'592'000;

ParameterInfo count(const char* name, const char* doc, double standard, const char* unit,
                    double least = 0, double most = kMost) {
    return {name, doc, standard, least, "", ParameterKind::whole, unit, most, {}};
}

ParameterInfo flag(const char* name, const char* doc) {
    return {name, doc, 0, 0, "false", ParameterKind::flag, "", 1, {}};
}

std::vector<ParameterInfo> main_parameters() {
    return {
        {"select_type",
         "SelectType: how nodes are allocated to jobs",
         1,
         0,
         "cons_tres",
         ParameterKind::name,
         "",
         1,
         {"linear", "cons_tres"}},
        count("sched_interval", "seconds between two passes of the main scheduler over all jobs",
              60, "seconds", 1),
        count("sched_min_interval",
              "minimum time in microseconds between two passes of the main scheduler, rounded up "
              "to whole seconds; values below one second have no effect",
              2, "microseconds"),
        count("batch_sched_delay",
              "minimum time in seconds between a pass of the main scheduler and the pass after a "
              "submission or the end of a job",
              3, "seconds"),
        count("default_queue_depth",
              "after an event, the main scheduler considers one job more than this number", 100,
              "jobs"),
        count("partition_job_depth",
              "number of jobs per partition that the main scheduler considers in a pass; 0: all", 0,
              "jobs"),
        flag("has_epilog",
             "slurm.conf has an Epilog: the main scheduler runs a pass as soon as the nodes of a "
             "finished job are free; otherwise it waits for batch_sched_delay, as after a "
             "submission"),
        flag("defer", "with an Epilog, also wait for batch_sched_delay after the end of a job"),
        flag("assoc_limit_stop", "if a limit holds back a job, the main scheduler starts no other "
                                 "job of its partition in the same pass"),
        {"enforce_part_limits",
         "EnforcePartLimits: jobs above a limit of their partition wait (no) or are rejected (all)",
         0,
         0,
         "no",
         ParameterKind::name,
         "",
         1,
         {"no", "all"}},
        count("priority_calc_period",
              "PriorityCalcPeriod: seconds between two recalculations of priorities", 300,
              "seconds", 1),
        count("epilog_time",
              "seconds for which the nodes of a finished job remain in the completing state", 0,
              "seconds", 0, kMostSeconds),
        count("complete_wait",
              "CompleteWait: seconds for which a completing job prevents other jobs from starting",
              0, "seconds", 0, kMostSeconds),
        count("over_time_limit", "OverTimeLimit: minutes by which a job may exceed its time limit",
              0, "minutes", 0, kMostSeconds),
        count("limit_check",
              "seconds between two checks of time limits; 0: jobs end exactly at their time limit",
              0, "seconds"),
        count("kill_wait",
              "KillWait: seconds for which a job beyond its time limit is expected to continue "
              "(only with cons_tres)",
              30, "seconds", 0, kMostSeconds),
        flag("ignores_signals", "killed jobs continue for kill_wait after the first signal"),
    };
}

std::vector<ParameterInfo> backfill_parameters() {
    return {
        count("bf_interval", "seconds between two cycles of the backfill scheduler; 0 or -1: none",
              30, "seconds", -1, kMostInterval),
        count("bf_max_job_test", "maximum number of jobs that a backfill cycle tests", 500, "jobs",
              1, kMostTested),
        count("bf_max_time_jobs",
              "number of jobs that a backfill cycle tests within bf_max_time; 0: all", 0, "jobs"),
        count("bf_node_space_size",
              "number of time spans that a backfill cycle may create for its plans; 0: as many as "
              "bf_max_job_test",
              0, "spans", 0, 2 * kMostTested),
        count("bf_max_job_user", "number of jobs per user that a backfill cycle tests; 0: all", 0,
              "jobs"),
        count("bf_max_job_part", "number of jobs per partition that a backfill cycle tests; 0: all",
              0, "jobs"),
        count("bf_max_job_user_part",
              "number of jobs per user and partition that a backfill cycle tests; 0: all", 0,
              "jobs"),
        count("bf_window", "how many minutes ahead jobs are planned", 1440, "minutes", 1,
              kMostWindow),
        count("bf_resolution",
              "planned times are rounded down to a multiple of this number of seconds", 60,
              "seconds", 1, kMostResolution),
        count("bf_window_linear",
              "job ends are grouped into periods, each this many seconds longer than the one "
              "before; 0: twice as long",
              0, "seconds"),
        flag("bf_continue", "continue a backfill cycle after it yields; in Slotwise, a cycle takes "
                            "no time and never yields"),
        count("bf_job_part_count_reserve", "number of jobs per partition that get a plan; 0: all",
              0, "jobs", 0, kMostReserved),
        count("bf_min_prio_reserve", "minimum priority at which a job gets a plan", 0,
              "priority points"),
        count("bf_min_age_reserve", "seconds that a job must wait before it gets a plan", 0,
              "seconds", 0, kMostAge),
    };
}

std::vector<ParameterInfo> all_parameters() {
    std::vector<ParameterInfo> parameters = main_parameters();
    for (ParameterInfo& each : backfill_parameters())
        parameters.push_back(std::move(each));
    return parameters;
}

std::unique_ptr<Scheduler> make_slurm_planner(const ReplayContext& context) {
    return std::make_unique<SlurmPlanner>(context);
}

const bool slurm_registered = backfill_registry().add({
    .name = "slurm",
    .doc = "Slurm's main and backfill schedulers: every waiting job gets a planned start on "
           "specific nodes.",
    .reference = "slurm.conf(5) of Slurm 22.05 and 25.11",
    .parameters = all_parameters(),
    .reads = {"order"},
    .reads_given = {},
    .works_on = {.nodes = true, .underway = false},
    .plan = nullptr,
    .make = make_slurm_planner,
    .make_on_nodes = make_slurm_planner,
});

} // namespace

} // namespace slotwise
