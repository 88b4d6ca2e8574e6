// The plan of a pool in which the number of free processors only grows, except for one reservation
// and one fence.
//
// Example with a pool of 10 processors at time 0: a job on 6 processors is estimated to end at 100.
// The first waiting job needs 8 processors and has a reservation on [100, 150). A job that runs in
// several pools has a fence of 5 processors on [120, 200). The number of free processors is 4 now,
// 2 at 100 and −3 at 120. At all other times it only grows. The smallest number in any interval
// therefore occurs at its beginning, or where the reservation or the fence begins.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/releases.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

class ReleasePlan {
  public:
    // `may_have_fence` must be true if fence() will be called. If it is false, jobs that have
    // exceeded their estimates still count as running.
    ReleasePlan(ProcCount processors, Time origin, Duration horizon, bool may_have_fence)
        : releases_(origin, horizon), free_(processors), may_have_fence_(may_have_fence) {}

    // Adds a job that starts `now` and is estimated to end at `end`.
    void add(Time end, ProcCount processors, Time now) {
        releases_.add(end, processors, now);
        free_ -= processors;
        if (end > reserved_.from) reserved_.left -= processors;
        if (end > fence_.from) fence_.left -= processors;
    }

    // Removes a job that is no longer running. The values must be those passed to add().
    void remove(Time end, ProcCount processors) {
        releases_.remove(end, processors);
        free_ += processors;
        if (end > reserved_.from) reserved_.left += processors;
        if (end > fence_.from) fence_.left += processors;
    }

    // Returns true if `processors` processors stay free for `length` from now on. Requires that
    // they are free at `now`.
    bool fits(Time now, Time length, ProcCount processors) const {
        if (now + length > reserved_.from && processors > reserved_.left) return false;
        return fence_.from == kNever || fits_beside_fence(now, length, processors);
    }

    // Returns bounds such that no job outside them fits. The pool must have at most `processors`
    // processors.
    BackfillBounds bounds(Time now, ProcCount processors) const;

    // Reserves the earliest start of a job that does not fit now, until drop() is called.
    void reserve(Time now, Time length, ProcCount processors);
    void drop() {
        fence_.left += reserved_.at(fence_.from);
        reserved_ = {};
    }

    // Makes `processors` processors unavailable in the plan on [from, to). unfence() reverses this.
    void fence(Time from, Time to, ProcCount processors);
    void unfence() {
        reserved_.left += fence_.at(reserved_.from);
        fence_ = {};
    }

    // Returns the number of processors that are free at `time`, ignoring the reservation and the
    // fence. `time` must not be before the current instant.
    std::int64_t free_at(Time time) const { return free_ + releases_.released_by(time); }

    struct Release {
        Time time;
        ProcCount processors;
    };

    // Appends to `into` the releases between `after` and `before` (both excluded), in order.
    void list(Time after, Time before, std::vector<Release>& into) const;

  private:
    struct Span {
        Time from = kNever; // kNever if there is none
        Time to = kNever;
        ProcCount processors = 0;
        // Processors left free at `from` by the jobs, the reservation and the fence.
        std::int64_t left = 0;

        ProcCount at(Time time) const {
            return from <= time && time < to ? processors : ProcCount{0};
        }
    };

    bool fits_beside_fence(Time now, Time length, ProcCount processors) const;
    std::int64_t least_from(Time now) const;
    Time earliest(Time now, Time length, ProcCount processors) const;

    Releases releases_;
    ProcCount free_; // free at the current instant
    bool may_have_fence_;
    Span reserved_; // `to` is used only if there is a fence
    Span fence_;
};

} // namespace slotwise
