#include "availability/start_times.hpp"

#include <numeric>

namespace slotwise {

StartTimes::StartTimes(const StartGrid& grid, OpeningHours hours)
    : grid_(grid), hours_(std::move(hours)),
      period_(hours_.always() ? grid.period : std::lcm(grid.period, OpeningHours::kDay)),
      any_(next(grid.base) != kNever) {}

Time StartTimes::first_from(Time t) const {
    return any_ ? next(t) : kNever;
}

// Searches only one period, after which the same times of day recur.
Time StartTimes::next(Time t) const {
    for (const Time end = t + period_; t <= end;) {
        const Time past = (t - grid_.base) % grid_.period;
        if (past != 0) t += past > 0 ? grid_.period - past : -past;
        if (hours_.is_open(t)) return t;
        t = hours_.next_opening(t);
    }
    return kNever;
}

} // namespace slotwise
