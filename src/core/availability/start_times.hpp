// Instants at which jobs of a queue may start: passes run, and the queue is open.
//
// Example: passes every 700 s from 0, and hours from 01:00 (3600) to 02:00. A job whose processors
// are free from 2000 on may start at 4200, the first pass at or after 3600.
#pragma once

#include "availability/start_grid.hpp"
#include "site/opening_hours.hpp"
#include "types.hpp"

namespace slotwise {

class StartTimes {
  public:
    StartTimes(const StartGrid& grid, OpeningHours hours);

    // First such instant at or after `t`; kNever if there is none.
    Time first_from(Time t) const;

    // Seconds after which the instants repeat.
    Time period() const { return period_; }

  private:
    Time next(Time t) const; // first_from() if there is one

    StartGrid grid_;
    OpeningHours hours_;
    Time period_;
    bool any_;
};

} // namespace slotwise
