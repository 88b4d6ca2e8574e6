#include "replay/limit_checks.hpp"

#include "site/backfill.hpp"

#include <algorithm>

namespace slotwise {

LimitChecks::LimitChecks(const Policy& policy, Time origin) : origin_(origin) {
    if (!has_parameter(policy, "limit_check") || !policy.kill_at_limit) return;
    every_ = static_cast<Time>(parameter_of(policy, "limit_check"));
    is_on_ = every_ > 0;
    over_ = static_cast<Time>(parameter_of(policy, "over_time_limit")) * kSecondsPerMinute;
    if (parameter_of(policy, "ignores_signals") != 0)
        kill_wait_ = static_cast<Time>(parameter_of(policy, "kill_wait"));
}

Duration LimitChecks::length(Time start, Time requested, Time run_time) const {
    Time killed = start + slurm_limit(requested) + over_;
    killed = origin_ + (killed - origin_ + every_ - 1) / every_ * every_;
    return static_cast<Duration>(std::min(run_time, killed - start + kill_wait_));
}

Duration LimitChecks::longest(Time requested, Time run_time) const {
    return static_cast<Duration>(
        std::min(run_time, slurm_limit(requested) + over_ + every_ + kill_wait_));
}

} // namespace slotwise
