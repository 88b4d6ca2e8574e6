// Check of a calendar whose changes are skipped while nothing runs or waits.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Throws ReplayError if the calendar changes too often between `from` and `to`. The next instant
// applies all changes in such a gap.
void check_calendar_gap(const Site& site, Time from, Time to);

} // namespace slotwise
