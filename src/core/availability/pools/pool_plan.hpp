// Plan of one pool: processors free now, and everything planned.
//
// Example: a pool of 10 at time 0. A job on 6 is estimated to end at 100, and 5 are planned to be
// unavailable on [150, 200). 4 are free now; 10 on [100, 150), then 5, then 10. A job on 4 may
// start now, however long it runs. If 8 are reserved on [100, 150), this job must end by 100, but a
// job on 2 need not.
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

// Form of a plan. A stepped plan is a profile. The others are cheaper, but they hold one
// reservation at a time. A fenced plan also holds one fence at a time; a plan of releases holds
// none.
enum class PlanForm : std::uint8_t { releases, fenced, stepped };

class PoolPlan {
  public:
    PoolPlan(ProcCount processors, Time origin, Duration horizon, PlanForm form);

    // Advances the plan to `now`; never moves backwards.
    void advance(Time now) {
        now_ = now;
        if (profile_) profile_->advance(now);
    }

    ProcCount processors() const { return processors_; }

    // Processors in use in the pool, excluding those inside a user's reservation.
    ProcCount busy() const { return busy_; }

    // Processors that a job may take now. 0 if jobs run on processors that should be unavailable.
    ProcCount free() const { return std::max(processors_ - away_ - busy_, 0); }

    // Starts a job now, estimated to end at `end`.
    void occupy(Time end, ProcCount processors) {
        busy_ += processors;
        if (profile_) {
            profile_->add(now_, end, -processors);
        } else {
            releases_->add(end, processors, now_);
        }
    }
    // Ends a job now that was estimated to end at `estimated_end`.
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

    // Counts a job that was inside a reservation as using the pool; its processors are already in
    // the plan.
    void take_in(ProcCount processors) { busy_ += processors; }

    // Fenced and stepped plans only. Plans `processors` as unavailable on [from, to), for an
    // announced outage or a reservation. A span that has begun counts from now on.
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

    // Stepped plans only. Announces that `processors` will be unavailable in each of these windows.
    // Windows enter the plan as far ahead as it is searched.
    void announce(const Recurrence& windows, ProcCount processors);

    // Plans the announced windows that begin before `time`; true if there were any. Throws
    // ReplayError if more than kMostAhead would be planned at once, because each takes memory.
    bool reach(Time time) { return next_announced_ < time && plan_announced(time); }

    // Makes processors unavailable from now on, or returns them. The planned downtimes determine
    // for how long.
    void take_away(ProcCount processors) { away_ += processors; }
    void give_back(ProcCount processors) { away_ -= processors; }

    // Grows whenever more may be free than was planned: when a job ends early, or when the caller
    // records that a planned downtime is removed permanently.
    std::uint64_t eased() const { return eased_; }
    void note_eased() { ++eased_; }

    // True if a job may start now for `length`, which may be 0.
    bool fits_now(Time length, ProcCount processors) {
        if (processors > free()) return false;
        if (!profile_) return releases_->fits(now_, length, processors);
        if (length == 0) return true;
        reach(now_ + length);
        return profile_->least(now_, now_ + length) >= processors;
    }

    // Upper bound: no job outside these bounds fits now.
    BackfillBounds bounds() const;

    // Reserves the earliest start of a job that does not fit now, until drop_reservations().
    // Requires length > 0, and no more processors than the pool has between its announced windows.
    // Returns false if there is no start.
    bool reserve(Time length, ProcCount processors);
    void drop_reservations();

    // Stepped plans only. Earliest start at or after `from`, on one of `starts` if given; kNever if
    // there is none, or after kMostSearches searches that ended at announced windows.
    Time earliest(Time length, ProcCount processors, Time from);
    Time earliest_start(Time length, ProcCount processors, Time from, const StartTimes& starts);
    // Stepped plans only. Reserves [from, from + length), whatever else is planned. A reservation
    // that has begun holds from now on.
    void reserve_at(Time from, Time length, ProcCount processors);

    bool is_stepped() const { return profile_.has_value(); }

    // Stepped plans only: the profile, as far ahead as it was reached.
    const Profile& profile() const { return *profile_; }

    // Other plans only.
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

    std::optional<Profile> profile_; // running jobs, fences, reservations
    std::vector<Span> reserved_;
    std::vector<Announced> announced_;
    Time next_announced_ = kNever; // the earliest `next` in announced_

    std::optional<ReleasePlan> releases_; // plans of another form
};

// Throws ReplayError if too many windows would be planned at once, at `now` up to `before`.
void refuse_windows_ahead(double n_windows, Time now, Time before);

} // namespace slotwise
