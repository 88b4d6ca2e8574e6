// The instants at which past usage is cleared. Each is a midnight on the machine's clock.
//
// Example: if the period is weekly, usage is cleared every Sunday at 0:00. On a Wednesday, it was
// last cleared three days and some hours ago.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <limits>

namespace slotwise {

// The periods are listed in the same order as the names that the `multifactor` order registers.
enum class ResetPeriod : std::uint8_t { none, daily, weekly, monthly, quarterly, yearly };

class UsageResets {
  public:
    static constexpr Time kBeforeAll = std::numeric_limits<Time>::min();

    UsageResets() = default;
    // `local_epoch` is the number of seconds from 1970-01-01 0:00 on the machine's clock to time 0
    // of the trace.
    UsageResets(ResetPeriod period, Time local_epoch)
        : period_(period), local_epoch_(local_epoch) {}

    // Returns the last reset at or before `now`, or kBeforeAll if usage is never cleared.
    Time last(Time now) const {
        if (period_ == ResetPeriod::none) return kBeforeAll;
        if (now < from_ || now >= until_) find(now);
        return from_;
    }

  private:
    void find(Time now) const;

    ResetPeriod period_ = ResetPeriod::none;
    Time local_epoch_ = 0;
    // The reset that the previous call to last() returned, and the reset after it.
    mutable Time from_ = 0;
    mutable Time until_ = 0;
};

} // namespace slotwise
