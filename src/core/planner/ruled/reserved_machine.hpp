// The processors of one machine, with the running jobs, announced maintenance, and the reservation
// of the head.
//
// Example: of 10 processors, 6 are in use until 100. A maintenance window begins at 150. A head
// that requests 8 processors for 40 s gets a reservation at 100, and 2 extra processors are left.
// If the head requests them for 60 s instead, it starts after the window, and every job that ends
// by 150 may start ahead of the head.
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

    void advance(Time now) { now_ = now; }

    // Applies the calendar changes that are due. Returns true if any were due.
    bool follow(Patience& patience);

    // free() returns the number of processors that a job may occupy now. longest_now() returns the
    // greatest length with which a job would end by the start of the next maintenance window.
    ProcCount free() const { return is_away_ ? 0 : free_; }
    Duration longest_now() const {
        if (!windows_) return kMaxDuration;
        return static_cast<Duration>(
            std::clamp<Time>(windows_->next_begin() - now_, 0, Time{kMaxDuration}));
    }

    bool has_room(ProcCount processors, Duration length) const {
        return processors <= free() && length <= longest_now();
    }

    // Returns true if the job can start now without delaying the reservation.
    bool may_pass(ProcCount processors, Duration length) const {
        return has_room(processors, length) &&
               (now_ + static_cast<Time>(length) <= shadow_ || processors <= extra_);
    }

    // Returns bounds that include every job that may start before the head. If there is no
    // reservation, the bounds include all jobs that can start now.
    BackfillBounds bounds() const {
        const Duration longest = longest_now();
        const auto before_shadow =
            static_cast<Duration>(std::clamp<Time>(shadow_ - now_, 0, Time{longest}));
        return {free(), before_shadow,
                static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, free()))};
    }

    // Makes `head`, a job that cannot start now, the head of the queue. Its reservation is unknown
    // until reserve() computes the earliest start of the head. Before that, and also after a job
    // has ended early, may_pass() and bounds() may admit too many jobs.
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
    JobId head() const { return head_; } // kNoJob: there is no head

    // Record that a job starts now, or that it started at `start`.
    void take(JobId job) { take(job, now_); }
    void take(JobId job, Time start) {
        const Time end = start + length(job);
        free_ -= processors(job);
        releases_.add(end, processors(job), now_);
        if (end > shadow_) extra_ -= processors(job);
        ++n_running_;
    }
    // Records that a running job has ended. If it ended early, the head may be able to start
    // earlier, or may leave more extra processors free.
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

    Time next_change() const { return windows_ ? windows_->next_change() : kNever; }

    // Fills in the part of the schedule that describes the calendar.
    void describe(Schedule& schedule) const;

  private:
    ProcCount processors(JobId job) const { return context_.jobs.processors[job]; }
    Duration length(JobId job) const { return context_.jobs.requested_time[job]; }

    ReplayContext context_;
    std::optional<MaintenanceWindows> windows_;
    Time now_ = 0;
    ProcCount free_;
    bool is_away_ = false;
    Releases releases_; // the future ends of running jobs
    std::size_t n_running_ = 0;

    // While is_loose_ is true, shadow_ and extra_ are upper bounds.
    JobId head_ = kNoJob;
    Time shadow_ = kNever;
    std::int64_t extra_ = 0;
    bool is_loose_ = true;
};

} // namespace slotwise
