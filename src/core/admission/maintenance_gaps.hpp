// Longest job that fits between downtimes that recur forever.
//
// Example: a pool of 10 processors; all are down for 8 h every 7 d, and 6 for 1 h daily, every
// seventh time inside the longer window. A job on 5 processors fits into the 23 h between two daily
// windows, and a job on 4 into the 6 d 16 h between two weekly ones. If passes run only every 2 h,
// at even hours, and a window ends at 9:00, the gap after it begins at 10:00.
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
        ProcCount processors; // unavailable in each window
    };

    // Windows that occur once do not count, because a job can wait until they are over. The common
    // pattern of several periods is examined up to 20,000 times the shortest period; the rest is
    // ignored.
    MaintenanceGaps(ProcCount processors, const std::vector<Windows>& windows,
                    const StartTimes& starts);

    // Longest time, from a possible start, for which `processors` are repeatedly available
    // together. kNever if no window prevents it; 0 if there is no such time.
    Time longest(ProcCount processors) const;

  private:
    friend bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                             Time length,
                             const std::function<bool(std::span<const ProcCount>)>& enough);

    // Fewest processors available during [from, from + length), at least 0.
    ProcCount least(Time from, Time length) const;

    ProcCount processors_;
    std::vector<Windows> periodic_;
    std::vector<std::pair<ProcCount, Time>>
        bounds_; // processors, and the longest gap for up to that many; ascending
};

// True if, from some recurring possible start on, each pool has a share available for `length`, and
// the shares add up to `processors`.
bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  ProcCount processors, Time length);

// As above, but `enough` decides, given the fewest processors of each pool over that time.
bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  Time length, const std::function<bool(std::span<const ProcCount>)>& enough);

// Longest time from a possible start to the end of a window that recurs forever.
Time longest_inside(const Recurrence& windows, const StartTimes& starts);

} // namespace slotwise
