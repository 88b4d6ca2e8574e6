// The hours of the day during which the jobs of a queue may start.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class OpeningHours {
  public:
    // `midnight` may be any midnight, as a time in the trace. If there are no hours, the queue is
    // always open.
    OpeningHours(std::vector<DayTimes> hours, Time midnight)
        : hours_(std::move(hours)), midnight_(midnight) {}

    static constexpr Time kDay = 86400;

    bool always() const { return hours_.empty(); }
    bool is_open(Time now) const;

    // Returns the first second after `now` at which the queue opens again, or kNever if it never
    // closes.
    Time next_opening(Time now) const;

    // Returns the first second after `now` at which the queue closes, or kNever if it never closes.
    Time next_closing(Time now) const;

  private:
    Time second_of_day(Time t) const { return ((t - midnight_) % kDay + kDay) % kDay; }

    std::vector<DayTimes> hours_;
    Time midnight_;
};

} // namespace slotwise
