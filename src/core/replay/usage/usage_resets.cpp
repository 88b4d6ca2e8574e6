#include "replay/usage/usage_resets.hpp"

#include <chrono>

namespace slotwise {

namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;

constexpr Time kDay = 86400;

int months_of(ResetPeriod period) {
    return period == ResetPeriod::yearly ? 12 : period == ResetPeriod::quarterly ? 3 : 1;
}

} // namespace

void UsageResets::find(Time now) const {
    const Time local = now + local_epoch_;
    const Time day = local / kDay - (local % kDay < 0 ? 1 : 0);
    const sys_days today{days(day)};
    sys_days first = today;
    sys_days next = today + days(1);
    if (period_ == ResetPeriod::weekly) {
        first = today - (std::chrono::weekday(today) - std::chrono::Sunday);
        next = first + days(7);
    } else if (period_ != ResetPeriod::daily) {
        const std::chrono::year_month_day date(today);
        const auto n_months = static_cast<unsigned>(months_of(period_));
        const unsigned month = (unsigned{date.month()} - 1) / n_months * n_months + 1;
        const auto begin = date.year() / std::chrono::month(month);
        first = begin / 1;
        next = (begin + months(n_months)) / 1;
    }
    from_ = first.time_since_epoch().count() * kDay - local_epoch_;
    until_ = next.time_since_epoch().count() * kDay - local_epoch_;
}

} // namespace slotwise
