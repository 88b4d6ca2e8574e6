// Computes the longest job that fits between downtimes that recur forever.
//
// Example: in a pool of 10 processors, all are down for 8 h every 7 d. In addition, 6 are down for
// 1 h every day. Once a week, this hour lies inside the 8 h window. A job on 5 processors fits into
// the 23 h between two daily windows, and a job on 4 into the 6 d 16 h between two weekly windows.
// If passes run only every 2 h, at even hours, and a window ends at 9:00, the gap after it begins
// at 10:00.
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

    // Windows that occur only once are ignored, because a job can wait until they have ended. If
    // windows have different periods, their common period may be very long, so it is cut off at
    // 20,000 times the shortest period.
    MaintenanceGaps(ProcCount processors, const std::vector<Windows>& windows,
                    const StartTimes& starts);

    // Returns the length of the longest recurring gap during which `processors` processors are
    // available. A gap is measured from the first time in it at which a job may start. Returns
    // kNever if no window limits this length, and 0 if there is no such gap.
    Time longest(ProcCount processors) const;

  private:
    friend bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                             Time length,
                             const std::function<bool(std::span<const ProcCount>)>& enough);

    // Returns the smallest number of processors available during [from, from + length), or 0 if
    // that number is negative.
    ProcCount least(Time from, Time length) const;

    ProcCount processors_;
    std::vector<Windows> periodic_;
    std::vector<std::pair<ProcCount, Time>>
        bounds_; // (processors, longest gap), ascending by processors
};

// Returns true if all pools together have `processors` processors available in recurring gaps of at
// least `length`.
bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  ProcCount processors, Time length);

// Returns true if `enough` returns true for at least one of the recurring times at which a job may
// start. The argument of `enough` gives, for each pool, the number of processors that stay
// available for `length` from that time on.
bool fit_together(std::span<const MaintenanceGaps* const> gaps, const StartTimes& starts,
                  Time length, const std::function<bool(std::span<const ProcCount>)>& enough);

// Returns the longest time that a job can run inside one of these windows, which recur forever. It
// is measured from the first time in the window at which a job may start.
Time longest_inside(const Recurrence& windows, const StartTimes& starts);

} // namespace slotwise
