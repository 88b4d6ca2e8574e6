// The instants at which jobs of a queue may start: those at which a pass runs while the queue is
// open.
//
// Example: passes run every 700 s from 0 on, and the queue is open from 01:00 (3600) to 02:00. A
// job whose processors are free from 2000 on may start at 4200, the time of the first pass at or
// after 3600.
#pragma once

#include "availability/start_grid.hpp"
#include "site/opening_hours.hpp"
#include "types.hpp"

namespace slotwise {

class StartTimes {
  public:
    StartTimes(const StartGrid& grid, OpeningHours hours);

    // Returns the first instant at or after `t` at which jobs of the queue may start, or kNever if
    // there is none.
    Time first_from(Time t) const;

    // Returns the period, in seconds, after which the instants repeat.
    Time period() const { return period_; }

  private:
    Time next(Time t) const; // returns first_from() if there is such an instant

    StartGrid grid_;
    OpeningHours hours_;
    Time period_;
    bool any_;
};

} // namespace slotwise
