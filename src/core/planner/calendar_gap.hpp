// Checks the periods in which no job is running or waiting. A replay skips such a gap, but fails if
// the calendar changes too often during the gap.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Throws ReplayError if the calendar changes too often between `from` and `to`. All changes in a
// skipped gap are applied together at the next instant, so their number is limited.
void check_calendar_gap(const Site& site, Time from, Time to);

} // namespace slotwise
