// Determines the times at which the main scheduler runs.
//
// A pass becomes due every `sched_interval`, after submissions, and when nodes become free. It runs
// at once, but not before `sched_min_interval` has passed since the previous pass. Passes that
// become due in the meantime are combined into one. The combined pass covers all jobs if at least
// one of these passes would have covered them.
#pragma once

#include "planner/slurm/slurm_rules.hpp"
#include "types.hpp"

namespace slotwise {

enum class SlurmPass { none, first_jobs, all_jobs };

class SlurmPassTimes {
  public:
    SlurmPassTimes(const SlurmRules& rules, Time first_submit);

    // Requests a pass. It becomes due at once, but not before `batch_sched_delay` has passed since
    // the last periodic or requested pass became due.
    void request(Time now);
    // Makes a pass due now.
    void require(Time now);
    // Records the passes before `now` for which the planner was not called, because no job could
    // start. Full passes become due whether or not a job waits.
    void note_idle(Time now);
    // Returns the pass that runs now, if any, and records that it has run.
    SlurmPass take(Time now);

    Time next() const;
    bool is_any_pending() const { return requested_ != kNever || due_since_ != kNever; }

  private:
    Time interval_;
    Time delay_;
    Time least_;               // shortest time between two passes
    Time last_full_;           // the time at which a pass over all jobs last became due
    Time last_pass_;           // the time at which a periodic or requested pass last became due
    Time last_run_;            // the last time a pass ran
    Time requested_ = kNever;  // time at which a pass was requested; kNever if none is pending
    Time due_since_ = kNever;  // time at which a pass became due; kNever if none is pending
    bool is_due_full_ = false; // the pass that is due covers all jobs
};

} // namespace slotwise
