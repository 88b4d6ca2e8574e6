// Check of a calendar that is not followed while nothing runs or waits.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

namespace slotwise {

// Throws ReplayError if the calendar changes too often from `from` to `to`. The next instant makes
// up for all changes of such a gap.
void check_calendar_gap(const Site& site, Time from, Time to);

} // namespace slotwise
