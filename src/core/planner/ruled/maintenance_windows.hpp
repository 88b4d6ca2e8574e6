// Announced downtimes of a whole machine. Every job must end by the time a downtime begins.
//
// Example: there is a maintenance window from 100 to 180, repeated every 1,000 seconds. At 40, a
// job of 60 seconds may start, but a job of 61 seconds may not. From 100 to 180, no processors are
// available. At 180, the next window is the one that begins at 1,100.
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
    // The site must be one that completed() has returned. It must have one pool, and its calendar
    // may contain only drains of the whole machine. The site must outlive this object.
    MaintenanceWindows(const Site& site, Time first_submit);

    // Makes a copied object use another site.
    void rebind(const Site& site) { site_ = &site; }

    // Applies the calendar changes that are due, and records each of them by calling
    // patience.note_change(). Returns true if there were any.
    bool follow(Time now, Patience& patience);

    // Returns true while the machine is unavailable.
    bool is_away() const { return n_open_ > 0; }

    // Returns the start of the next window, or kNever if there is none. Requires that the machine
    // is available.
    Time next_begin() const { return next_begin_; }

    // Returns the time of the next change in the calendar, or kNever if there is none.
    Time next_change() const { return calendar_.next(); }

    // Returns the number of available processors over time. The list is empty if all processors
    // have always been available.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    void note(Time time);

    const Site* site_;
    Calendar calendar_;
    int n_open_ = 0; // number of windows that have begun and not ended
    Time next_begin_ = kNever;
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
