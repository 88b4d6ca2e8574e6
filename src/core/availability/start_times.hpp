// The instants at which jobs of a queue may start: those at which a pass may run while the queue is
// open.
//
// Example: passes run every 700 s from 0 onwards, and the queue is open from 01:00 (3600) to 02:00.
// A job whose processors are free from 2000 onwards may start in the pass at 4200.
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
    Time next(Time t) const; // same as first_from(), but searches even if any_ is false

    StartGrid grid_;
    OpeningHours hours_;
    Time period_;
    bool any_;
};

} // namespace slotwise
