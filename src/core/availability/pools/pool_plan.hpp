// The plan of one pool: the processors that are free now, and everything that is planned.
//
// Example with a pool of 10 processors at time 0: a job on 6 processors is estimated to end at 100,
// and 5 processors are planned to be unavailable on [150, 200). 4 processors are free now, 10 on
// [100, 150), 5 on [150, 200), and 10 after that. A job on 4 processors may start now, however long
// it runs. If 8 processors are reserved on [100, 150), such a job must end by 100, but a job on 2
// processors may run longer.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "availability/pools/release_plan.hpp"
#include "availability/profile.hpp"
#include "availability/start_times.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace slotwise {

// The form of a plan. A stepped plan is a full availability profile. The other forms are cheaper,
// but hold at most one reservation at a time. A fenced plan can also hold one fence, which
// keeps processors free for a future period; a plan of releases cannot.
enum class PlanForm : std::uint8_t { releases, fenced, stepped };

class PoolPlan {
  public:
    PoolPlan(ProcCount processors, Time origin, Duration horizon, PlanForm form);

    // Advances the plan to `now`, which never decreases.
    void advance(Time now) {
        now_ = now;
        if (profile_) profile_->advance(now);
    }

    ProcCount processors() const { return processors_; }

    // Returns the number of processors in use in the pool, except those inside a user's
    // reservation.
    ProcCount busy() const { return busy_; }

    // Returns the number of processors that a job may take now. This is 0 if jobs are running on
    // processors that should be unavailable.
    ProcCount free() const { return std::max(processors_ - away_ - busy_, 0); }

    // Starts a job now; `end` is its estimated end.
    void occupy(Time end, ProcCount processors) {
        busy_ += processors;
        if (profile_) {
            profile_->add(now_, end, -processors);
        } else {
            releases_->add(end, processors, now_);
        }
    }
    // Ends a job now; `estimated_end` was its estimated end.
    void vacate(Time estimated_end, ProcCount processors) {
        busy_ -= processors;
        if (profile_) {
            profile_->add(now_, estimated_end, processors);
        } else {
            releases_->remove(estimated_end, processors);
        }
        if (estimated_end > now_) note_eased();
    }
    // Moves the estimated end of a running job to `end`.
    void prolong(Time estimated_end, Time end, ProcCount processors);

    // Adds the processors of a job to those in use in the pool. Called when the reservation in
    // which the job runs closes; the plan already contains the job.
    void take_in(ProcCount processors) { busy_ += processors; }

    // For fenced and stepped plans only. Makes `processors` processors unavailable in the plan on
    // [from, to), because of an announced outage or a reservation. If the span has already begun,
    // only the part from now on counts.
    void fence(Time from, Time to, ProcCount processors) {
        if (profile_)
            profile_->add(std::max(from, now_), to, -processors);
        else
            releases_->fence(from, to, processors);
    }
    void unfence(Time from, Time to, ProcCount processors) {
        if (profile_)
            profile_->add(std::max(from, now_), to, processors);
        else
            releases_->unfence();
    }

    // For stepped plans only. Announces that `processors` processors will be unavailable in each of
    // the given windows. The windows are added to the plan only as far ahead as searches reach.
    void announce(const Recurrence& windows, ProcCount processors);

    // Plans the announced windows that begin before `time`. Returns true if there were any. Throws
    // ReplayError if more than kMostAhead windows would be in the plan at the same time, because
    // each one takes memory.
    bool reach(Time time) { return next_announced_ < time && plan_announced(time); }

    // Makes processors unavailable from now on, or available again. The planned downtimes determine
    // how long they stay unavailable.
    void take_away(ProcCount processors) { away_ += processors; }
    void give_back(ProcCount processors) { away_ -= processors; }

    // Returns a counter that grows whenever more processors may be free than planned: when a job
    // ends early, or when the caller records that a planned downtime is removed permanently.
    std::uint64_t eased() const { return eased_; }
    void note_eased() { ++eased_; }

    // Returns true if a job may start now and run for `length`, which may be 0.
    bool fits_now(Time length, ProcCount processors) {
        if (processors > free()) return false;
        if (!profile_) return releases_->fits(now_, length, processors);
        if (length == 0) return true;
        reach(now_ + length);
        return profile_->least(now_, now_ + length) >= processors;
    }

    // Returns bounds such that no job outside them fits now.
    BackfillBounds bounds() const;

    // Reserves the earliest start of a job that does not fit now, until drop_reservations() is
    // called. Requires length > 0. `processors` must not exceed the number that the pool has while
    // no announced window is open. Returns false if there is no such start.
    bool reserve(Time length, ProcCount processors);
    void drop_reservations();

    // For stepped plans only. earliest() returns the earliest start at or after `from`.
    // earliest_start() considers only the instants in `starts`. Both return kNever if there is no
    // such start, or if kMostSearches attempts do not find it.
    Time earliest(Time length, ProcCount processors, Time from);
    Time earliest_start(Time length, ProcCount processors, Time from, const StartTimes& starts);
    // For stepped plans only. Reserves [from, from + length), regardless of everything else that is
    // planned. If the reservation has already begun, only the part from now on counts.
    void reserve_at(Time from, Time length, ProcCount processors);

    bool is_stepped() const { return profile_.has_value(); }

    // For stepped plans only. Returns the profile, as far ahead as it has been planned.
    const Profile& profile() const { return *profile_; }

    // For plans that are not stepped. Returns the plan of releases.
    const ReleasePlan& releases() const { return *releases_; }

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
        Time next; // start of the first window not yet planned
    };

    bool plan_announced(Time before);
    void check_ahead(Time before) const;

    ProcCount processors_;
    ProcCount busy_ = 0;
    ProcCount away_ = 0;
    Time now_;
    std::uint64_t eased_ = 0;

    std::optional<Profile> profile_; // running jobs, fences and reservations are included
    std::vector<Span> reserved_;
    std::vector<Announced> announced_;
    Time next_announced_ = kNever; // start of the first announced window not yet planned

    std::optional<ReleasePlan> releases_; // the plan, unless its form is stepped
};

// Throws ReplayError if `n_windows`, the number of windows planned between `now` and `before`, is
// too large.
void refuse_windows_ahead(double n_windows, Time now, Time before);

} // namespace slotwise
