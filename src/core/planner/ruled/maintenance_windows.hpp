// Announced downtimes of a whole machine: drains before which every job must end.
//
// Example: a maintenance window from 100 to 180, every 1,000 seconds. At 40 a job of 60 seconds may
// start, but not a job of 61 seconds. From 100 to 180 there are no processors. At 180 the next
// window begins at 1,100.
#pragma once

#include "planner/pools/patience.hpp"
#include "replay/schedule.hpp"
#include "site/calendar.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class MaintenanceWindows {
  public:
    // `site` is completed and has one pool, and its calendar contains only drains of the whole
    // machine. It outlives this object.
    MaintenanceWindows(const Site& site, Time first_submit);

    // Makes a copy use another site.
    void rebind(const Site& site) { site_ = &site; }

    // Makes the changes that are due and counts each in `patience`. Returns true if there were any.
    bool follow(Time now, Patience& patience);

    // True while the machine is unavailable.
    bool is_away() const { return n_open_ > 0; }

    // Start of the next window; kNever if there is none. Valid while the machine is available.
    Time next_begin() const { return next_begin_; }

    // Time of the next change of the calendar, or kNever.
    Time next_change() const { return calendar_.next(); }

    // Available processors of the machine over time; empty while all of them have been available.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    void note(Time time);

    const Site* site_;
    Calendar calendar_;
    int n_open_ = 0; // windows that have begun
    Time next_begin_ = kNever;
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
