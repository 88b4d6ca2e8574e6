#include "planner/calendar_gap.hpp"

#include "replay/replay_error.hpp"
#include "site/calendar.hpp"

#include <string>

namespace slotwise {

namespace {

constexpr double kMostChangesAtOnce = 1e8;

} // namespace

void check_calendar_gap(const Site& site, Time from, Time to) {
    const auto gap = static_cast<double>(to - from);
    double n_changes = 0;
    for (const Outage& outage : site.outages)
        if (outage.every > 0) n_changes += 2 * gap / static_cast<double>(outage.every);
    for (const UserReservation& reservation : site.reservations)
        if (reservation.every > 0) n_changes += 2 * gap / static_cast<double>(reservation.every);
    const double n_failing = crash_streams(site);
    if (site.crashes.mean > 0) n_changes += n_failing * gap / site.crashes.mean;
    if (n_changes <= kMostChangesAtOnce) return;
    throw ReplayError("no job runs or waits from second " + std::to_string(from) + " to " +
                      std::to_string(to) +
                      ", but the calendar changes more than 100000000 times in between; make "
                      "outages, reservations and crashes less frequent, or split the trace there");
}

} // namespace slotwise
