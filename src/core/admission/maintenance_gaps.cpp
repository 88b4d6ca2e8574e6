#include "admission/maintenance_gaps.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

using Windows = MaintenanceGaps::Windows;

constexpr Time kMostWindows = 20'000;

struct Step { // a change in the number of available processors
    Time time;
    std::int64_t change;
};

struct Span {
    Time from;
    Time to;
};

// Returns the least common multiple of the two periods, but at most `most`.
Time common_period(Time one, Time other, Time most) {
    const Time step = other / std::gcd(one, other);
    return one > most / step ? most : one * step;
}

// Returns a span that starts when the last series of windows begins. Its length is twice the common
// period of all windows and of `starts`.
Span span_of(const std::vector<Windows>& periodic, const StartTimes& starts) {
    Time from = periodic.front().recurrence.start;
    Time shortest = periodic.front().recurrence.every;
    for (const auto& [recurrence, processors] : periodic) {
        from = std::max(from, recurrence.start);
        shortest = std::min(shortest, recurrence.every);
    }
    const Time longest = shortest * kMostWindows;
    Time turn = std::min(starts.period(), longest);
    for (const auto& [recurrence, processors] : periodic)
        turn = common_period(turn, recurrence.every, longest);
    return {from, from + 2 * turn};
}

// Returns the steps within the span, in chronological order.
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

// Returns the length of the longest period within the span in which at least `processors`
// processors are available. A period is measured from the first time in it at which a job may
// start. Returns kNever if that many are available throughout the span.
Time longest_run(const std::vector<Step>& steps, std::int64_t left, ProcCount processors, Span span,
                 const StartTimes& starts) {
    Time longest = 0;
    // Start of the current period; kNever while too few processors are available.
    Time since = span.from;
    const auto end_run = [&](Time end) {
        const Time start = starts.first_from(since);
        if (start < end) longest = std::max(longest, end - start);
        since = kNever;
    };
    bool always = true;
    for (std::size_t i = 0; i < steps.size();) {
        const Time now = steps[i].time;
        for (; i < steps.size() && steps[i].time == now; ++i)
            left += steps[i].change;
        if (left < processors && since != kNever) {
            end_run(now);
            always = false;
        } else if (left >= processors && since == kNever) {
            since = now;
        }
    }
    if (always) return starts.first_from(span.from) == kNever ? 0 : kNever;
    if (since != kNever) end_run(span.to);
    return longest;
}

} // namespace

MaintenanceGaps::MaintenanceGaps(ProcCount processors, const std::vector<Windows>& windows,
                                 const StartTimes& starts)
    : processors_(processors) {
    for (const Windows& each : windows)
        if (each.recurrence.every > 0) periodic_.push_back(each);
    if (periodic_.empty()) {
        if (starts.first_from(0) == kNever) bounds_.emplace_back(processors, 0);
        return;
    }
    const Span span = span_of(periodic_, starts);
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
        bounds_.emplace_back(level, longest_run(steps, processors, level, span, starts));
}

Time MaintenanceGaps::longest(ProcCount processors) const {
    for (const auto& [most, bounds] : bounds_)
        if (processors <= most) return bounds;
    return bounds_.empty() ? kNever : 0;
}

ProcCount MaintenanceGaps::least(Time from, Time length) const {
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

// Checks only the first possible start after the end of each window, because later starts are no
// better.
bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  Time length, const std::function<bool(std::span<const ProcCount>)>& enough) {
    std::vector<Windows> all;
    for (const MaintenanceGaps* bounds : gaps)
        all.insert(all.end(), bounds->periodic_.begin(), bounds->periodic_.end());
    std::vector<ProcCount> least;
    const auto fits = [&](Time from) {
        const Time start = starts.first_from(from);
        if (start == kNever) return false;
        least.clear();
        for (const MaintenanceGaps* bounds : gaps)
            least.push_back(bounds->least(start, length));
        return enough(least);
    };
    if (all.empty()) return fits(0);
    const Span span = span_of(all, starts);
    const std::vector<Step> steps = steps_of(all, span);
    return fits(span.from) || std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
               return step.change > 0 && step.time < span.to && fits(step.time);
           });
}

bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  ProcCount processors, Time length) {
    return fit_together(gaps, starts, length, [&](std::span<const ProcCount> least) {
        return std::accumulate(least.begin(), least.end(), std::int64_t{0}) >= processors;
    });
}

Time longest_inside(const Recurrence& windows, const StartTimes& starts) {
    const Time turn = common_period(starts.period(), windows.every, windows.every * kMostWindows);
    Time longest = 0;
    for (Time begin = windows.start; begin < windows.start + turn; begin += windows.every) {
        const Time start = starts.first_from(begin);
        if (start < begin + windows.duration)
            longest = std::max(longest, begin + windows.duration - start);
    }
    return longest;
}

} // namespace slotwise
