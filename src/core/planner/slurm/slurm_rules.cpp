#include "planner/slurm/slurm_rules.hpp"

#include "replay/limit_checks.hpp"
#include "site/backfill.hpp"

#include <algorithm>

namespace slotwise {

namespace {

std::int64_t whole(const Policy& policy, const char* name) {
    return static_cast<std::int64_t>(parameter_of(policy, name));
}

// Returns the minimum time between two passes of the main scheduler, in whole seconds.
Time least_interval(std::int64_t microseconds) {
    constexpr std::int64_t kSecond = 1'000'000;
    return microseconds < kSecond ? 0 : (microseconds + kSecond - 1) / kSecond;
}

} // namespace

SlurmRules::SlurmRules(const Policy& policy)
    : linear(whole(policy, "select_type") == 0),
      enforces_part_limits(whole(policy, "enforce_part_limits") != 0),
      sched_interval(whole(policy, "sched_interval")),
      sched_min_interval(least_interval(whole(policy, "sched_min_interval"))),
      batch_sched_delay(whole(policy, "batch_sched_delay")),
      default_queue_depth(whole(policy, "default_queue_depth")),
      partition_job_depth(whole(policy, "partition_job_depth")), defer(whole(policy, "defer") != 0),
      has_epilog(whole(policy, "has_epilog") != 0),
      assoc_limit_stop(whole(policy, "assoc_limit_stop") != 0),
      bf_interval(std::max<Time>(whole(policy, "bf_interval"), 0)),
      bf_max_job_test(whole(policy, "bf_max_job_test")),
      bf_max_time_jobs(whole(policy, "bf_max_time_jobs")),
      bf_node_space_size(whole(policy, "bf_node_space_size")),
      bf_max_job_user(whole(policy, "bf_max_job_user")),
      bf_max_job_part(whole(policy, "bf_max_job_part")),
      bf_max_job_user_part(whole(policy, "bf_max_job_user_part")),
      bf_window(whole(policy, "bf_window") * kSecondsPerMinute),
      bf_resolution(whole(policy, "bf_resolution")),
      bf_window_linear(whole(policy, "bf_window_linear")),
      bf_job_part_count_reserve(whole(policy, "bf_job_part_count_reserve")),
      bf_min_prio_reserve(parameter_of(policy, "bf_min_prio_reserve")),
      bf_min_age_reserve(whole(policy, "bf_min_age_reserve")),
      calc_period(whole(policy, "priority_calc_period")), kill_wait(whole(policy, "kill_wait")),
      over_time_limit(whole(policy, "over_time_limit") * kSecondsPerMinute),
      epilog(whole(policy, "epilog_time")), complete_wait(whole(policy, "complete_wait")) {}

} // namespace slotwise
