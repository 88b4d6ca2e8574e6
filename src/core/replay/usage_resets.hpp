// Instants at which past usage is cleared, at midnights of the machine's clock.
//
// Example: with the period weekly, usage is cleared every Sunday at 0:00. On a Wednesday, the last
// of these instants is three days and some hours ago.
#pragma once

#include "types.hpp"

#include <cstdint>
#include <limits>

namespace slotwise {

// In the order of the names that the order `multifactor` registers.
enum class ResetPeriod : std::uint8_t { none, daily, weekly, monthly, quarterly, yearly };

class UsageResets {
  public:
    static constexpr Time kBeforeAll = std::numeric_limits<Time>::min();

    UsageResets() = default;
    // `local_epoch`: seconds from 1970-01-01 0:00 of the machine's clock to time 0 of the trace.
    UsageResets(ResetPeriod period, Time local_epoch)
        : period_(period), local_epoch_(local_epoch) {}

    // The last of the instants at or before `now`; kBeforeAll if there are none.
    Time last(Time now) const {
        if (period_ == ResetPeriod::none) return kBeforeAll;
        if (now < from_ || now >= until_) find(now);
        return from_;
    }

  private:
    void find(Time now) const;

    ResetPeriod period_ = ResetPeriod::none;
    Time local_epoch_ = 0;
    // The period that contains the last instant asked for.
    mutable Time from_ = 0;
    mutable Time until_ = 0;
};

} // namespace slotwise
