// Limits how long a replay continues while no job runs. Opening hours and calendars never end, so a
// job that they block permanently would otherwise keep the replay running forever.
//
// Example: a queue is open from 8 to 9, and an outage takes the whole machine down every day from 8
// to 9. Every day, there are instants at which a waiting job might start, but it never does. After
// ten years of such days, the replay ends while the job is still waiting.
#pragma once

#include "types.hpp"

#include <cstdint>

namespace slotwise {

// Counts the time, passes and calendar changes since the last active instant. An instant is active
// if a job ran or arrived, a timer fired or an intervention was made. There are only finitely many
// active instants.
class Patience {
  public:
    static constexpr Time kLongest = Time{10} * 366 * 86'400;
    static constexpr std::uint32_t kMostChanges = 2'000'000; // in the calendar
    static constexpr std::uint32_t kMostPasses = 10'000'000;

    void note_change() { ++n_changes_; }

    // Counts a pass or, if the instant is active, restarts all counts. Must be called after the
    // calendar changes of the instant have been recorded.
    void note_instant(Time now, bool is_active) {
        ++n_passes_;
        if (!is_active && !is_new_) return;
        *this = {};
        is_new_ = false;
        since_ = now;
    }

    // Makes the next instant count as active, whenever it occurs.
    void renew() { is_new_ = true; }

    bool is_over(Time now) const {
        return !is_new_ &&
               (now - since_ > kLongest || n_changes_ > kMostChanges || n_passes_ > kMostPasses);
    }

  private:
    Time since_ = 0;
    std::uint32_t n_changes_ = 0;
    std::uint32_t n_passes_ = 0;
    bool is_new_ = true;
};

} // namespace slotwise
