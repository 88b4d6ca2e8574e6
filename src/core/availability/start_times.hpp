// The instants at which jobs of a queue may start: passes run, and the queue is open.
//
// Example, passes every 700 s from 0 and hours from 01:00 (3600) to 02:00: a job that finds room
// from 2000 on may start at 4200, the first pass at or after 3600.
#pragma once

#include "availability/start_grid.hpp"
#include "site/opening_hours.hpp"
#include "types.hpp"

namespace slotwise {

class StartTimes {
  public:
    StartTimes(const StartGrid& grid, OpeningHours hours);

    // The first at or after `t`; kNever where there are none at all.
    Time first_from(Time t) const;

    // So many seconds later it is as now.
    Time period() const { return period_; }

  private:
    Time next(Time t) const; // first_from() where there are some

    StartGrid grid_;
    OpeningHours hours_;
    Time period_;
    bool any_;
};

} // namespace slotwise
