#include "planner/ruled/maintenance_windows.hpp"

#include "planner/calendar_gap.hpp"

#include <algorithm>

namespace slotwise {

MaintenanceWindows::MaintenanceWindows(const Site& site, Time first_submit)
    : site_(&site), calendar_(site, first_submit), next_begin_(calendar_.next()) {}

bool MaintenanceWindows::follow(Time now, Patience& patience) {
    if (calendar_.next() > now) return false;
    const Time since = std::max(calendar_.next(), calendar_.since());
    if (since < now) check_calendar_gap(*site_, since, now);
    while (calendar_.next() <= now) {
        patience.note_change();
        const CalendarChange change = calendar_.pop();
        n_open_ += change.kind == CalendarChange::Kind::outage_begin ? 1 : -1;
        note(change.time);
    }
    next_begin_ = kNever;
    for (const Outage& outage : site_->outages)
        next_begin_ = std::min(next_begin_, recurrence_of(outage).first_beginning_from(now));
    return true;
}

void MaintenanceWindows::note(Time time) {
    const ProcCount present =
        is_away() ? site_->processors - site_->pools[0].processors : site_->processors;
    if (!capacity_.empty() && capacity_.back().time == time)
        capacity_.back().processors = present;
    else
        capacity_.push_back({time, present});
}

} // namespace slotwise
