// Recurring downtimes. They are added to a plan only as far ahead as searches need them.
//
// Example: a window from 100 until 180, repeated every 1,000 s. A search that extends only to 90
// needs no window. A search that extends to 150 adds the first window and is repeated. The next
// window is added by the first search that extends beyond 1,100.
#pragma once

#include "site/calendar.hpp"
#include "types.hpp"

#include <algorithm>

namespace slotwise {

class AnnouncedWindows {
  public:
    AnnouncedWindows() = default;

    // During each of `windows`, the given number of processors is unavailable. Windows that end at
    // or before `now` are ignored.
    AnnouncedWindows(const Recurrence& windows, ProcCount processors, Time now)
        : windows_(windows), processors_(processors), next_(windows.first_ending_after(now)) {}

    // Adds to the plan the windows that begin before `time`. Returns true if there were any.
    template <class Plan> bool reach(Time time, Time now, Plan& plan) {
        if (time <= next_) return false;
        for (; next_ < time; next_ = windows_.every > 0 ? next_ + windows_.every : kNever)
            plan.add(std::max(next_, now), next_ + windows_.duration, -processors_);
        return true;
    }

  private:
    Recurrence windows_;
    ProcCount processors_ = 0;
    Time next_ = kNever; // start of the first window that is not yet in the plan
};

} // namespace slotwise
