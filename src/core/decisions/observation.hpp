// Describes the state of a replay to an agent, as numbers between 0 and 1 in an array owned by the
// caller.
#pragma once

#include "decisions/decision_replay.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace slotwise {

// The formulas are in docs/learning.md.
struct ObservationRule {
    enum class Kind : std::uint8_t { none, flat, rlscheduler, grid };

    Kind kind = Kind::flat;
    std::size_t rows = 24;    // `grid`: number of time steps
    std::size_t columns = 16; // `grid`: number of parts of the machine
    Time seconds = 3600;      // `grid`: length of a step

    std::size_t size(std::size_t window) const;
};

inline constexpr std::size_t kFlatFeatures = 5;    // per job
inline constexpr std::size_t kMachineFeatures = 3; // stored after the features of the jobs
inline constexpr std::size_t kRlSchedulerFeatures = 8;

// `out` has rule.size(window) values.
void observe(const DecisionReplay& replay, const ObservationRule& rule, std::span<float> out);

// For each choice, writes 1 to `out` if it is valid now, and 0 if it is not.
void mask_choices(const DecisionReplay& replay, std::span<std::int8_t> out);

} // namespace slotwise
