// Processors of one machine: running jobs, announced maintenance, and the reservation of the head.
//
// Example: 10 processors, 6 in use until 100, a maintenance window from 150. A head on 8 processors
// for 40 s is reserved for 100, and 2 extra processors are left. If it requests 60 s, it starts
// after the window, and every job that ends by 150 may pass it.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/releases.hpp"
#include "planner/pools/patience.hpp"
#include "planner/ruled/maintenance_windows.hpp"
#include "replay/context.hpp"
#include "replay/schedule.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace slotwise {

class ReservedMachine {
  public:
    explicit ReservedMachine(const ReplayContext& context);
    ReservedMachine(const ReservedMachine& other, const ReplayContext& context);

    // Begins an instant.
    void advance(Time now) { now_ = now; }

    // Makes the changes of the calendar that are due; true if there were any.
    bool follow(Patience& patience);

    // Processors that a job may take now, and the greatest length that may start before a
    // maintenance window.
    ProcCount free() const { return is_away_ ? 0 : free_; }
    Duration window() const {
        if (!windows_) return kMaxDuration;
        return static_cast<Duration>(
            std::clamp<Time>(windows_->next_begin() - now_, 0, Time{kMaxDuration}));
    }

    bool has_room(ProcCount processors, Duration length) const {
        return processors <= free() && length <= window();
    }

    // Same, beside the reservation.
    bool may_pass(ProcCount processors, Duration length) const {
        return has_room(processors, length) &&
               (now_ + static_cast<Time>(length) <= shadow_ || processors <= extra_);
    }

    // Jobs that may pass the head are within these bounds. Without a reservation, all jobs that
    // have room are.
    BackfillBounds bounds() const {
        const Duration longest = window();
        const auto before_shadow =
            static_cast<Duration>(std::clamp<Time>(shadow_ - now_, 0, Time{longest}));
        return {free(), before_shadow,
                static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, free()))};
    }

    // Sets the head, a job that has no room now; its reservation is not known yet. Until reserve()
    // finds the earliest start of the head, may_pass() and bounds() admit more jobs than may start,
    // as they do after a job ends early.
    void set_head(JobId head) {
        drop_reservation();
        head_ = head;
    }
    bool is_loose() const { return is_loose_; }
    void reserve();
    void drop_reservation() {
        head_ = kNoJob;
        shadow_ = kNever;
        extra_ = 0;
        is_loose_ = true;
    }
    JobId head() const { return head_; } // kNoJob: none

    // Records that a job starts now, or that it started at `start`.
    void take(JobId job) { take(job, now_); }
    void take(JobId job, Time start) {
        const Time end = start + length(job);
        free_ -= processors(job);
        releases_.add(end, processors(job), now_);
        if (end > shadow_) extra_ -= processors(job);
        ++n_running_;
    }
    // Records that a running job has ended. If it ends early, the head may start earlier, or leave
    // more extra processors.
    void give_back(JobId job) {
        const Time end = context_.schedule.start[job] + length(job);
        free_ += processors(job);
        releases_.remove(end, processors(job));
        --n_running_;
        if (end <= now_) return;
        if (end > shadow_) extra_ += processors(job);
        is_loose_ = true;
    }

    std::size_t n_running() const { return n_running_; }
    bool has_calendar() const { return windows_.has_value(); }

    // Next change of the calendar, or kNever.
    Time next_change() const { return windows_ ? windows_->next_change() : kNever; }

    // Writes what the schedule records about the calendar.
    void describe(Schedule& schedule) const;

  private:
    ProcCount processors(JobId job) const { return context_.jobs.processors[job]; }
    Duration length(JobId job) const { return context_.jobs.requested_time[job]; }

    ReplayContext context_;
    std::optional<MaintenanceWindows> windows_;
    Time now_ = 0;
    ProcCount free_;
    bool is_away_ = false;
    Releases releases_; // releases by running jobs
    std::size_t n_running_ = 0;

    // If the reservation is loose, shadow time and extra processors are upper bounds.
    JobId head_ = kNoJob;
    Time shadow_ = kNever;
    std::int64_t extra_ = 0;
    bool is_loose_ = true;
};

} // namespace slotwise
