// Time limits as Slurm enforces them: limits are rounded up to whole minutes, and jobs are checked
// only at regular times.
//
// Example with checks every 30 s: a job with a limit of 45 s starts at 100. Its limit counts as 60
// s. The first check at or after 160 is at 180, so the job runs for 80 s.
#pragma once

#include "site/policy.hpp"
#include "types.hpp"

namespace slotwise {

inline constexpr Time kSecondsPerMinute = 60;

// Returns the time limit that Slurm applies: the requested one, rounded up to whole minutes, but at
// least one minute.
inline Time slurm_limit(Time requested) {
    constexpr Time minute = kSecondsPerMinute;
    return requested <= minute ? minute : (requested + minute - 1) / minute * minute;
}

class LimitChecks {
  public:
    LimitChecks() = default;
    // Jobs are checked at `origin`, and then at regular intervals set by the policy.
    LimitChecks(const Policy& policy, Time origin);

    bool are_late() const { return is_on_; } // if false, jobs end exactly at their limit

    // Returns the run time of a job that starts at `start`. Requires are_late().
    Duration length(Time start, Time requested, Time run_time) const;

    // Returns an upper bound on length() over all start times.
    Duration longest(Time requested, Time run_time) const;

  private:
    bool is_on_ = false;
    Time origin_ = 0;
    Time every_ = 0;
    Time over_ = 0;      // seconds that jobs may run beyond their limit
    Time kill_wait_ = 0; // seconds from a job's first signal until it is killed
};

} // namespace slotwise
