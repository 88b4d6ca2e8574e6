#include "planner/slurm/slurm_pass_times.hpp"

#include <algorithm>

namespace slotwise {

SlurmPassTimes::SlurmPassTimes(const SlurmRules& rules, Time first_submit)
    : interval_(rules.sched_interval), delay_(rules.batch_sched_delay),
      least_(rules.sched_min_interval), last_full_(first_submit - interval_),
      last_pass_(last_full_), last_run_(first_submit - least_) {}

void SlurmPassTimes::request(Time now) {
    if (requested_ == kNever) requested_ = now;
}

void SlurmPassTimes::require(Time now) {
    due_since_ = std::min(due_since_, now);
}

void SlurmPassTimes::note_idle(Time now) {
    while (true) {
        const bool are_in_step =
            least_ <= interval_ && last_run_ + least_ <= last_full_ + interval_;
        if (!is_any_pending() && are_in_step) {
            // All full passes before `now` ran as soon as they became due.
            const Time full = now - 1 - (now - 1 - last_full_) % interval_;
            if (full > last_full_) last_full_ = last_pass_ = last_run_ = full;
            return;
        }
        const Time time = next();
        if (time >= now) return;
        take(time);
    }
}

SlurmPass SlurmPassTimes::take(Time now) {
    const bool at_interval = now - last_full_ >= interval_;
    const bool at_request = requested_ != kNever && now - last_pass_ >= delay_;
    if (at_interval) {
        last_full_ = now;
        is_due_full_ = true;
    }
    if (at_interval || at_request) {
        last_pass_ = now;
        requested_ = kNever;
        require(now);
    }
    if (due_since_ == kNever || now - last_run_ < least_) return SlurmPass::none;
    const SlurmPass pass = is_due_full_ ? SlurmPass::all_jobs : SlurmPass::first_jobs;
    last_run_ = now;
    due_since_ = kNever;
    is_due_full_ = false;
    return pass;
}

// Returns the next time at which a pass becomes due or runs.
Time SlurmPassTimes::next() const {
    Time next = last_full_ + interval_;
    if (requested_ != kNever) next = std::min(next, std::max(requested_, last_pass_ + delay_));
    if (due_since_ != kNever) next = std::min(next, std::max(due_since_, last_run_ + least_));
    return next;
}

} // namespace slotwise
