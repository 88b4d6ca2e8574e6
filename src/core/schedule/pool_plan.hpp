// One pool: what is free in it now, and what is planned.
//
// Example, a pool of 10 at time 0: a job on 6 is believed to end at 100, and 5 are fenced off on
// [150, 200). 4 are free; on [100, 150) it will be 10, then 5, then 10. A job on 4 may start
// however long it runs. Beside a reservation of 8 on [100, 150) it may not run past 100, but one on
// 2 may.
#pragma once

#include "engine/calendar.hpp"
#include "schedule/profile.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace slotwise {

class PoolPlan {
  public:
    PoolPlan(ProcCount processors, Time origin)
        : processors_(processors), now_(origin), plan_(processors, origin) {}

    // Never backwards.
    void advance(Time now) {
        now_ = now;
        plan_.advance(now);
    }

    ProcCount processors() const { return processors_; }
    ProcCount busy() const { return busy_; }

    // What a job may take now; 0, never less, where jobs run on processors that should be away.
    ProcCount free() const { return std::max(processors_ - away_ - busy_, 0); }

    // A job starts now, believed to end at `end` …
    void occupy(Time end, ProcCount processors) {
        busy_ += processors;
        plan_.add(now_, end, -processors);
    }
    // … it ends now, whatever was believed …
    void vacate(Time believed_end, ProcCount processors) {
        busy_ -= processors;
        plan_.add(now_, believed_end, processors);
        if (believed_end > now_) note_eased();
    }
    // … or has outlived what was believed and gets a later end.
    void prolong(Time end, ProcCount processors) { plan_.add(now_, end, -processors); }

    // Plans that so many processors are away on [from, to): an announced outage, a reservation.
    // Spans that have begun count from now on.
    void fence(Time from, Time to, ProcCount processors) {
        plan_.add(std::max(from, now_), to, -processors);
    }
    void unfence(Time from, Time to, ProcCount processors) {
        plan_.add(std::max(from, now_), to, processors);
    }

    // So many processors will be away in each of these windows, as is known beforehand. They enter
    // the plan as far ahead as it is asked about.
    void announce(const Recurrence& windows, ProcCount processors);

    // Plans the announced windows that begin before `time`; whether there was one to plan.
    bool reach(Time time) { return next_announced_ < time && plan_announced(time); }

    // So many processors are away from now on, or back. Fences say for how long that is planned.
    void take_away(ProcCount processors) { away_ += processors; }
    void give_back(ProcCount processors) { away_ -= processors; }

    // Changes whenever there may be more room than was planned: a job ends early, or who takes a
    // fence back for good says so.
    std::uint64_t eased() const { return eased_; }
    void note_eased() { ++eased_; }

    // Whether a job may start now for `length`, which may be 0.
    bool has_room(Time length, ProcCount processors) {
        if (processors > free()) return false;
        if (length == 0) return true;
        reach(now_ + length);
        return plan_.least(now_, now_ + length) >= processors;
    }

    // Keeps the earliest place, for as long as drop_reservations() is not called. length > 0, and
    // processors are at most those of the pool, and fit between the announced windows.
    Time reserve(Time length, ProcCount processors);
    void drop_reservations();

    // As far as it was reached.
    const Profile& plan() const { return plan_; }

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

    ProcCount processors_;
    ProcCount busy_ = 0; // by jobs
    ProcCount away_ = 0;
    Time now_;
    std::uint64_t eased_ = 0;
    Profile plan_; // running jobs, fences, reservations
    std::vector<Span> reserved_;
    std::vector<Announced> announced_;
    Time next_announced_ = kNever; // the least of theirs
};

} // namespace slotwise
