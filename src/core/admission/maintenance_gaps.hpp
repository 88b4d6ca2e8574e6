// How long a job can be at most where windows without processors come back for ever.
//
// Example, a pool of 10: all are away for 8 h every 7 d, and 6 for 1 h every day, an hour of every
// seventh falling into the longer window. A job on 5 fits into 23 h between two days' windows, a
// job on 4 into 6 d 16 h between two weeks'. Where passes run only every 2 h, at even hours, and a
// window ends at 9:00, the room behind it begins at 10:00.
#pragma once

#include "availability/start_times.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class MaintenanceGaps {
  public:
    struct Windows {
        Recurrence recurrence;
        ProcCount processors; // away in each
    };

    // Windows that come once count for nothing: a job can wait for what follows. Where the pattern
    // of several periods is longer than 20,000 of the shortest, the rest of it is not looked at.
    MaintenanceGaps(ProcCount processors, const std::vector<Windows>& windows,
                    const StartTimes& starts);

    // The longest time for which `processors` are together, from some instant of a start on, again
    // and again; kNever where no window is in their way, 0 where there is no such time.
    Time longest(ProcCount processors) const;

  private:
    friend bool fit_together(std::span<const MaintenanceGaps* const> rooms,
                             const StartTimes& starts, Time length,
                             const std::function<bool(std::span<const ProcCount>)>& enough);

    // The fewest processors of [from, from + length), none less than 0.
    ProcCount least(Time from, Time length) const;

    ProcCount processors_;
    std::vector<Windows> periodic_;
    std::vector<std::pair<ProcCount, Time>> bounds_; // up to so many processors: so long; ascending
};

// Whether there is, again and again, an instant of a start from which each of the pools keeps a
// share for `length` so that the shares make up `processors`.
bool fit_together(std::span<const MaintenanceGaps* const> rooms, const StartTimes& starts,
                  ProcCount processors, Time length);

// The same, where `enough` tells it of the least of each over that time.
bool fit_together(std::span<const MaintenanceGaps* const> rooms, const StartTimes& starts,
                  Time length, const std::function<bool(std::span<const ProcCount>)>& enough);

// The longest time from some instant of a start to the end of one of the windows, again and again.
Time longest_inside(const Recurrence& windows, const StartTimes& starts);

} // namespace slotwise
