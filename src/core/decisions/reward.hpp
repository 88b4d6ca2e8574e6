// Computes an agent's reward for a step from the replay's totals before and after the step.
#pragma once

#include "decisions/decision_replay.hpp"
#include "decisions/totals.hpp"

#include <cstdint>

namespace slotwise {

// The formulas are in docs/learning.md.
enum class Reward : std::uint8_t {
    none, // the caller computes the reward
    wait,
    area,
    bounded_slowdown,
    rlscheduler,
    deeprm,
    utilisation,
};

// Returns the reward for a step. `before` contains the totals at the beginning of the step, and
// `replay` is in the state at the end of the step.
double reward_of(Reward reward, const Totals& before, const DecisionReplay& replay);

} // namespace slotwise
