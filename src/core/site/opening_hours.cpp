#include "site/opening_hours.hpp"

#include <algorithm>

namespace slotwise {

bool OpeningHours::is_open(Time now) const {
    if (hours_.empty()) return true;
    const Time second = second_of_day(now);
    return std::any_of(hours_.begin(), hours_.end(), [&](const DayTimes& times) {
        return times.open < times.close ? second >= times.open && second < times.close
                                        : second >= times.open || second < times.close;
    });
}

Time OpeningHours::next_opening(Time now) const {
    Time next = kNever;
    const Time second = second_of_day(now);
    for (const DayTimes& times : hours_) {
        const Time ahead = (times.open - second + kDay) % kDay;
        const Time opening = now + (ahead == 0 ? kDay : ahead);
        if (opening < next && !is_open(opening - 1)) next = opening;
    }
    return next;
}

Time OpeningHours::next_closing(Time now) const {
    Time next = kNever;
    const Time second = second_of_day(now);
    for (const DayTimes& times : hours_) {
        const Time ahead = (times.close - second + kDay) % kDay;
        const Time closing = now + (ahead == 0 ? kDay : ahead);
        if (closing < next && !is_open(closing)) next = closing;
    }
    return next;
}

} // namespace slotwise
