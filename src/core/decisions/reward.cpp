#include "decisions/reward.hpp"

#include <algorithm>

namespace slotwise {

double reward_of(Reward reward, const Totals& before, const DecisionReplay& replay) {
    const Totals& after = replay.totals();
    const auto n_jobs = static_cast<double>(std::max<std::size_t>(replay.state().n_jobs, 1));
    const double machine_hours = 3600.0 * replay.jobs().machine();
    switch (reward) {
    case Reward::wait:
        return -static_cast<double>(after.waited - before.waited) / (3600 * n_jobs);
    case Reward::area:
        return -static_cast<double>(after.waited_area - before.waited_area) / machine_hours;
    case Reward::bounded_slowdown:
        return -(after.bounded_slowdown - before.bounded_slowdown) / n_jobs;
    case Reward::rlscheduler:
        return replay.done() ? -after.bounded_slowdown / n_jobs : 0.0;
    case Reward::deeprm:
        return -(after.presence - before.presence);
    case Reward::utilisation:
        return static_cast<double>(after.busy_area - before.busy_area) / machine_hours;
    default:
        return 0;
    }
}

} // namespace slotwise
