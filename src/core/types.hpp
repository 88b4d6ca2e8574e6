// Basic types that all parts of the core share.
#pragma once

#include <cstdint>
#include <limits>

namespace slotwise {

using Time = std::int64_t;      // seconds on the trace's clock
using Duration = std::uint32_t; // seconds; a trace with longer durations is rejected
using ProcCount = std::int32_t; // processors
using JobId = std::uint32_t;    // position in the trace, from 0

inline constexpr Time kNever = std::numeric_limits<Time>::max();
inline constexpr Time kNotStarted = -1;
inline constexpr JobId kNoJob = std::numeric_limits<JobId>::max();
inline constexpr Duration kMaxDuration = std::numeric_limits<Duration>::max() - 1;
// The latest submit time, and the limit on the absolute values of calendar times. It is exact in a
// double.
inline constexpr Time kMaxTime = Time{1} << 53;

} // namespace slotwise
