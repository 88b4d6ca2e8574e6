// Plan of a pool in which processors only become free, except for one reservation and one fence.
//
// Example: a pool of 10 at time 0; a job on 6 is estimated to end at 100. The first waiting job, on
// 8, is reserved [100, 150). A job of several pools is fenced in 5 processors on [120, 200). The
// least free processors are 4 from now on, 2 from 100 on, and −3 from 120 on. Nothing else needs to
// be known: processors become free otherwise, so the least of any interval is at its begin, or
// where the reservation or the fence begins.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/releases.hpp"
#include "types.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

class ReleasePlan {
  public:
    // A plan that never has a fence counts a job that has outlived its estimate as running.
    ReleasePlan(ProcCount processors, Time origin, Duration horizon, bool may_have_fence)
        : releases_(origin, horizon), free_(processors), may_have_fence_(may_have_fence) {}

    // Adds a job that starts `now` and is estimated to end at `end`.
    void add(Time end, ProcCount processors, Time now) {
        releases_.add(end, processors, now);
        free_ -= processors;
        if (end > reserved_.from) reserved_.left -= processors;
        if (end > fence_.from) fence_.left -= processors;
    }

    // Removes a job that no longer runs and was added with these values.
    void remove(Time end, ProcCount processors) {
        releases_.remove(end, processors);
        free_ += processors;
        if (end > reserved_.from) reserved_.left += processors;
        if (end > fence_.from) fence_.left += processors;
    }

    // Requires that `processors` are not in use now. True if they are free for `length` from now.
    bool fits(Time now, Time length, ProcCount processors) const {
        if (now + length > reserved_.from && processors > reserved_.left) return false;
        return fence_.from == kNever || fits_beside_fence(now, length, processors);
    }

    // Upper bound, with at most `processors` in the pool: no job outside these bounds fits.
    BackfillBounds bounds(Time now, ProcCount processors) const;

    // Reserves the earliest start of a job that does not fit now, until drop().
    void reserve(Time now, Time length, ProcCount processors);
    void drop() {
        fence_.left += reserved_.at(fence_.from);
        reserved_ = {};
    }

    // Plans `processors` as unavailable on [from, to), until unfence().
    void fence(Time from, Time to, ProcCount processors);
    void unfence() {
        reserved_.left += fence_.at(reserved_.from);
        fence_ = {};
    }

    // Processors that are free at `time`, which is not before the present, apart from reservation
    // and fence.
    std::int64_t free_at(Time time) const { return free_ + releases_.released_by(time); }

    struct Release {
        Time time;
        ProcCount processors;
    };

    // Appends the releases in (after, before), in order.
    void list(Time after, Time before, std::vector<Release>& into) const;

  private:
    struct Span {
        Time from = kNever; // kNever: none
        Time to = kNever;
        ProcCount processors = 0;
        std::int64_t left = 0; // free at `from`, beside this span and the other

        ProcCount at(Time time) const {
            return from <= time && time < to ? processors : ProcCount{0};
        }
    };

    bool fits_beside_fence(Time now, Time length, ProcCount processors) const;
    std::int64_t least_from(Time now) const;
    Time earliest(Time now, Time length, ProcCount processors) const;

    Releases releases_;
    ProcCount free_; // now
    bool may_have_fence_;
    Span reserved_; // its end matters only to the fence
    Span fence_;
};

} // namespace slotwise
