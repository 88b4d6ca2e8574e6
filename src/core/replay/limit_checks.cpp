#include "replay/limit_checks.hpp"

#include "site/backfill.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr Time kSecondsPerMinute = 60;

} // namespace

LimitChecks::LimitChecks(const Policy& policy, Time origin) : origin_(origin) {
    if (policy.backfill != "slurm" || !policy.kill_at_limit) return;
    every_ = static_cast<Time>(parameter_of(policy, "limit_check"));
    is_on_ = every_ > 0;
    over_ = static_cast<Time>(parameter_of(policy, "over_time_limit")) * kSecondsPerMinute;
    if (parameter_of(policy, "ignores_signals") != 0)
        kill_wait_ = static_cast<Time>(parameter_of(policy, "kill_wait"));
}

Time LimitChecks::limit(Time requested) const {
    const Time minutes = (requested + kSecondsPerMinute - 1) / kSecondsPerMinute;
    return std::max<Time>(minutes, 1) * kSecondsPerMinute + over_;
}

Duration LimitChecks::length(Time start, Time requested, Time run_time) const {
    Time killed = start + limit(requested);
    killed = origin_ + (killed - origin_ + every_ - 1) / every_ * every_;
    return static_cast<Duration>(std::min(run_time, killed - start + kill_wait_));
}

Duration LimitChecks::longest(Time requested, Time run_time) const {
    return static_cast<Duration>(std::min(run_time, limit(requested) + every_ + kill_wait_));
}

} // namespace slotwise
