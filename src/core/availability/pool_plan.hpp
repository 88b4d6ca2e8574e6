// One pool: what is free in it now, and what is planned.
//
// Example, a pool of 10 at time 0: a job on 6 is believed to end at 100, and 5 are fenced off on
// [150, 200). 4 are free; on [100, 150) it will be 10, then 5, then 10. A job on 4 may start
// however long it runs. Beside a reservation of 8 on [100, 150) it may not run past 100, but one on
// 2 may.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/profile.hpp"
#include "availability/releases.hpp"
#include "availability/start_times.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace slotwise {

// A stepped plan is a profile. The other kind, in which processors only come back until the one
// reservation it may hold, is cheaper: the ends of running jobs, and the reservation as a shadow
// time and what is extra there.
class PoolPlan {
  public:
    PoolPlan(ProcCount processors, Time origin, Duration horizon, bool is_stepped);

    // Never backwards.
    void advance(Time now) {
        now_ = now;
        if (profile_) profile_->advance(now);
    }

    ProcCount processors() const { return processors_; }

    // What runs in the pool, less what runs inside a user's reservation.
    ProcCount busy() const { return busy_; }

    // What a job may take now; 0, never less, where jobs run on processors that should be away.
    ProcCount free() const { return std::max(processors_ - away_ - busy_, 0); }

    // A job starts now, believed to end at `end` …
    void occupy(Time end, ProcCount processors) {
        busy_ += processors;
        if (profile_) {
            profile_->add(now_, end, -processors);
        } else {
            releases_->add(end, processors, now_);
            if (end > shadow_) extra_ -= processors;
        }
    }
    // … it ends now, whatever was believed …
    void vacate(Time believed_end, ProcCount processors) {
        busy_ -= processors;
        if (profile_) {
            profile_->add(now_, believed_end, processors);
            if (believed_end > now_) note_eased();
        } else {
            releases_->remove(believed_end, processors);
        }
    }
    // … or is believed to have another end.
    void prolong(Time believed_end, Time end, ProcCount processors);

    // A job that was inside a reservation counts on the pool now; what it has lies in the plan.
    void take_in(ProcCount processors) { busy_ += processors; }

    // Of stepped plans. Plans that so many processors are away on [from, to): an announced outage,
    // a reservation. Spans that have begun count from now on.
    void fence(Time from, Time to, ProcCount processors) {
        profile_->add(std::max(from, now_), to, -processors);
    }
    void unfence(Time from, Time to, ProcCount processors) { fence(from, to, -processors); }

    // Of stepped plans. So many processors will be away in each of these windows, as is known
    // beforehand. They enter the plan as far ahead as it is asked about.
    void announce(const Recurrence& windows, ProcCount processors);

    // Plans the announced windows that begin before `time`; whether there was one to plan. Throws
    // ReplayError where more than kMostAhead would be planned at once: each takes memory.
    bool reach(Time time) { return next_announced_ < time && plan_announced(time); }

    // So many processors are away from now on, or back. Fences say for how long that is planned.
    void take_away(ProcCount processors) { away_ += processors; }
    void give_back(ProcCount processors) { away_ -= processors; }

    // Changes whenever there may be more room than was planned: a job ends early, or who takes a
    // fence back for good says so.
    std::uint64_t eased() const { return eased_; }
    void note_eased() { ++eased_; }

    // Whether a job may start now for `length`, which may be 0.
    bool fits_now(Time length, ProcCount processors) {
        if (processors > free()) return false;
        if (!profile_) return now_ + length <= shadow_ || processors <= extra_;
        if (length == 0) return true;
        reach(now_ + length);
        return profile_->least(now_, now_ + length) >= processors;
    }

    // Outside of this room has_room() holds for nobody.
    BackfillBounds bounds() const;

    // Keeps the earliest place for a job that has no room now, as long as drop_reservations() is
    // not called. length > 0, and processors are at most those of the pool, and fit between the
    // announced windows. Only one at a time unless stepped. False: there is none.
    bool reserve(Time length, ProcCount processors);
    void drop_reservations();

    // Of stepped plans. The earliest place not before `from`, on one of `starts` where they are
    // given, kNever where announced windows have barred the way so often (kMostSearches) that there
    // will be none; and a reservation [from, from + length) that is kept there, whatever else is
    // planned; one whose time has come holds from now.
    Time earliest(Time length, ProcCount processors, Time from);
    Time earliest_start(Time length, ProcCount processors, Time from, const StartTimes& starts);
    void reserve_at(Time from, Time length, ProcCount processors);

    // Of stepped plans, as far as it was reached.
    const Profile& profile() const { return *profile_; }

    static constexpr int kMostSearches = 100'000;
    static constexpr int kMostAhead = 4'000'000;

  private:
    struct Span {
        Time from;
        Time to;
        ProcCount processors;
    };
    struct Announced {
        Recurrence windows;
        ProcCount processors;
        Time next; // begin of the first window that is not planned
    };

    bool plan_announced(Time before);
    void check_ahead(Time before) const;

    ProcCount processors_;
    ProcCount busy_ = 0;
    ProcCount away_ = 0;
    Time now_;
    std::uint64_t eased_ = 0;

    std::optional<Profile> profile_; // running jobs, fences, reservations
    std::vector<Span> reserved_;
    std::vector<Announced> announced_;
    Time next_announced_ = kNever; // the least of theirs

    std::optional<Releases> releases_; // of plans that are not stepped
    Time shadow_ = kNever;             // kNever: nothing is reserved
    std::int64_t extra_ = 0;
};

} // namespace slotwise
