// Detects calendars that change too often during gaps in which no job runs or waits. Such gaps are
// skipped.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Throws ReplayError if the calendar changes too often between `from` and `to`. All changes during
// a skipped gap are applied at the next instant.
void check_calendar_gap(const Site& site, Time from, Time to);

} // namespace slotwise
