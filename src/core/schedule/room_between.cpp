#include "schedule/room_between.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

using Windows = RoomBetween::Windows;

constexpr Time kMostWindows = 20'000;

struct Step { // of the processors that are left
    Time time;
    std::int64_t change;
};

struct Span {
    Time from;
    Time to;
};

// From when all have begun, until the pattern has come round twice.
Span span_of(const std::vector<Windows>& periodic) {
    Time from = periodic.front().recurrence.start;
    Time shortest = periodic.front().recurrence.every;
    for (const auto& [recurrence, processors] : periodic) {
        from = std::max(from, recurrence.start);
        shortest = std::min(shortest, recurrence.every);
    }
    const Time longest = shortest * kMostWindows;
    Time turn = 1;
    for (const auto& [recurrence, processors] : periodic) {
        const Time step = recurrence.every / std::gcd(turn, recurrence.every);
        turn = turn > longest / step ? longest : turn * step;
    }
    return {from, from + 2 * turn};
}

// In order of time, within the span.
std::vector<Step> steps_of(const std::vector<Windows>& periodic, Span span) {
    std::vector<Step> steps;
    for (const auto& [recurrence, processors] : periodic) {
        Time begin = recurrence.first_ending_after(span.from);
        for (; begin < span.to; begin += recurrence.every) {
            steps.push_back({std::max(begin, span.from), -processors});
            steps.push_back({std::min(begin + recurrence.duration, span.to), processors});
        }
    }
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.time < b.time; });
    return steps;
}

// The longest stretch of the span in which at least `processors` of `left` are left; kNever for all
// of it.
Time longest_run(const std::vector<Step>& steps, std::int64_t left, ProcCount processors,
                 Span span) {
    Time longest = 0;
    Time since = span.from; // kNever while there are fewer
    for (std::size_t i = 0; i < steps.size();) {
        const Time now = steps[i].time;
        for (; i < steps.size() && steps[i].time == now; ++i)
            left += steps[i].change;
        if (left < processors && since != kNever) {
            longest = std::max(longest, now - since);
            since = kNever;
        } else if (left >= processors && since == kNever) {
            since = now;
        }
    }
    if (since == span.from) return kNever;
    return since == kNever ? longest : std::max(longest, span.to - since);
}

} // namespace

RoomBetween::RoomBetween(ProcCount processors, const std::vector<Windows>& windows)
    : processors_(processors) {
    for (const Windows& each : windows)
        if (each.recurrence.every > 0) periodic_.push_back(each);
    if (periodic_.empty()) return;
    const Span span = span_of(periodic_);
    const std::vector<Step> steps = steps_of(periodic_, span);
    std::vector<ProcCount> levels{processors};
    std::int64_t left = processors;
    for (const Step& step : steps) {
        left += step.change;
        if (left > 0 && left < processors) levels.push_back(static_cast<ProcCount>(left));
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const ProcCount level : levels)
        rooms_.emplace_back(level, longest_run(steps, processors, level, span));
}

Time RoomBetween::longest(ProcCount processors) const {
    for (const auto& [most, room] : rooms_)
        if (processors <= most) return room;
    return rooms_.empty() ? kNever : 0;
}

ProcCount RoomBetween::least(Time from, Time length) const {
    std::int64_t left = processors_;
    std::int64_t least = left;
    const std::vector<Step> steps = steps_of(periodic_, {from, from + length});
    for (std::size_t i = 0; i < steps.size() && steps[i].time < from + length;) {
        const Time now = steps[i].time;
        for (; i < steps.size() && steps[i].time == now; ++i)
            left += steps[i].change;
        least = std::min(least, left);
    }
    return static_cast<ProcCount>(std::max<std::int64_t>(least, 0));
}

// The best instants are those at which some window ends.
bool fit_together(std::span<const RoomBetween* const> rooms, ProcCount processors, Time length) {
    std::vector<Windows> all;
    for (const RoomBetween* room : rooms)
        all.insert(all.end(), room->periodic_.begin(), room->periodic_.end());
    if (all.empty()) return true;
    const Span span = span_of(all);
    const auto fits = [&](Time from) {
        std::int64_t sum = 0;
        for (const RoomBetween* room : rooms)
            sum += room->least(from, length);
        return sum >= processors;
    };
    const std::vector<Step> steps = steps_of(all, span);
    return fits(span.from) || std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
               return step.change > 0 && step.time < span.to && fits(step.time);
           });
}

} // namespace slotwise
