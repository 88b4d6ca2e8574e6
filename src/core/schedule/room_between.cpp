#include "schedule/room_between.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

// A pattern of several periods is looked at over two turns of their least common multiple, or over
// so many windows where that is longer.
constexpr Time kMostWindows = 20'000;

struct Step { // of the processors that are left
    Time time;
    std::int64_t change;
};

// From when all have begun, until the pattern has come round twice.
std::pair<Time, Time> span_of(const std::vector<RoomBetween::Windows>& periodic) {
    Time from = periodic.front().recurrence.start;
    Time shortest = periodic.front().recurrence.every;
    Time turn = 1;
    for (const auto& [recurrence, processors] : periodic) {
        from = std::max(from, recurrence.start);
        shortest = std::min(shortest, recurrence.every);
    }
    const Time longest = shortest * kMostWindows;
    for (const auto& [recurrence, processors] : periodic) {
        const Time step = recurrence.every / std::gcd(turn, recurrence.every);
        turn = turn > longest / step ? longest : turn * step;
    }
    return {from, from + 2 * turn};
}

std::vector<Step> steps_of(const std::vector<RoomBetween::Windows>& periodic, Time from, Time to) {
    std::vector<Step> steps;
    for (const auto& [recurrence, processors] : periodic) {
        for (Time t = recurrence.first_ending_after(from); t < to; t += recurrence.every) {
            steps.push_back({std::max(t, from), -processors});
            steps.push_back({std::min(t + recurrence.duration, to), processors});
        }
    }
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.time < b.time; });
    return steps;
}

// The longest stretch of [from, to) in which at least `processors` are left; kNever for all of it.
Time longest_run(const std::vector<Step>& steps, std::int64_t left, ProcCount processors, Time from,
                 Time to) {
    Time longest = 0;
    Time since = from; // kNever while there are fewer
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
    if (since == from) return kNever;
    return since == kNever ? longest : std::max(longest, to - since);
}

} // namespace

RoomBetween::RoomBetween(ProcCount processors, const std::vector<Windows>& windows) {
    std::vector<Windows> periodic;
    for (const Windows& each : windows)
        if (each.recurrence.every > 0) periodic.push_back(each);
    if (periodic.empty()) return;
    const auto [from, to] = span_of(periodic);
    const std::vector<Step> steps = steps_of(periodic, from, to);
    std::vector<ProcCount> levels{processors};
    std::int64_t left = processors;
    for (const Step& step : steps) {
        left += step.change;
        if (left > 0 && left < processors) levels.push_back(static_cast<ProcCount>(left));
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const ProcCount level : levels)
        rooms_.emplace_back(level, longest_run(steps, processors, level, from, to));
}

Time RoomBetween::longest(ProcCount processors) const {
    for (const auto& [most, room] : rooms_)
        if (processors <= most) return room;
    return rooms_.empty() ? kNever : 0;
}

} // namespace slotwise
