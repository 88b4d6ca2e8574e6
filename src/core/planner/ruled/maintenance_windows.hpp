// Announced absences of a whole machine: drains that every job must end before.
//
// Example: a maintenance from 100 to 180, every 1,000 seconds. At 40 a job of 60 seconds may start,
// one of 61 may not. From 100 to 180 there are no processors. At 180 the next begin is 1,100.
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
    // `site` is completed and has one pool; its calendar holds nothing but drains of the whole
    // machine. It outlives this object.
    MaintenanceWindows(const Site& site, Time first_submit);

    // Makes a copy continue over another site.
    void rebind(const Site& site) { site_ = &site; }

    // Makes the changes that are due; each is counted in `patience`. True if there were any.
    bool follow(Time now, Patience& patience);

    // True while the machine is absent.
    bool is_away() const { return n_open_ > 0; }

    // Begin of the next window; kNever: there is none. Valid while the machine is there.
    Time next_begin() const { return next_begin_; }

    // Time of the next change of the calendar, or kNever.
    Time next_change() const { return calendar_.next(); }

    // Processors of the machine over time; empty while it has had all of them.
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
