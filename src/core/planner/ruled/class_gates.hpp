// Rules that open and close classes of waiting jobs: limits and opening hours.
//
// Example, running_per_user 1: user 1 has three equal jobs. The first starts, and the gates close
// the class of the other two. Once the first has ended, the class opens.
#pragma once

#include "admission/limit_accounts.hpp"
#include "admission/owner_limits.hpp"
#include "admission/routing.hpp"
#include "planner/ruled/request_classes.hpp"
#include "replay/context.hpp"
#include "site/opening_hours.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Without a routing in the context there are no rules, and every job is eligible.
class ClassGates {
  public:
    explicit ClassGates(const ReplayContext& context);
    ClassGates(const ClassGates& other, const ReplayContext& context);

    bool any() const { return routing_ != nullptr; }
    bool has_limits() const { return limits_.any(); }

    // True if limits of the site are lifted while no eligible job waits.
    bool lifts() const { return lifts_; }

    // True if the job may start at the instant of the last follow_hours().
    bool allows(JobId job) const {
        return is_ready(job) && limits_.allows(job, queue_of(job), processors(job));
    }
    bool allows_when_lifted(JobId job) const {
        return has_limits() && is_ready(job) &&
               limits_.allows_when_lifted(job, queue_of(job), processors(job));
    }

    // True if the rules always treat these two jobs alike.
    bool have_same_rules(JobId one, JobId other) const {
        return queue_of(one) == queue_of(other) && limits_.count_alike(one, other);
    }

    void note_waiting(JobId job) { count_waiting(job, 1); }
    void note_cancelled(JobId job) { count_waiting(job, -1); }

    // Records that a waiting job starts, or that a running job has ended; opens and closes classes
    // of its owners.
    void note_started(JobId job, RequestClasses& classes) {
        count_waiting(job, -1);
        if (has_limits() && limits_.count_start(job, queue_of(job), processors(job)))
            refresh_owners_of(job, classes);
    }
    void note_ended(JobId job, RequestClasses& classes) {
        if (has_limits() && limits_.count_end(job, queue_of(job), processors(job)))
            refresh_owners_of(job, classes);
    }

    // Owner of a class with this front: the limits open and close the classes of an owner together.
    RequestClasses::Owner owner_of(JobId job);

    // Opens and closes classes with their queues' hours; returns true if any queue changed. `now`
    // never decreases between calls.
    bool follow_hours(Time now, RequestClasses& classes) {
        return now >= hours_change_ && change_hours(now, classes);
    }

    // First opening, after the last follow_hours(), of a queue in which a job waits; or kNever.
    Time next_opening() const {
        Time next = kNever;
        for (const Hours& hours : hours_)
            if (hours.n_waiting > 0) next = std::min(next, hours.opening);
        return next;
    }

    // kNoQueue without rules.
    QueueId queue_number(JobId job) const { return routing_ ? routing_->queue_of[job] : kNoQueue; }

  private:
    struct Hours { // opening hours of a queue
        OpeningHours hours;
        bool is_open = true;
        Time opening = kNever; // next opening
        std::int64_t n_waiting = 0;
    };

    QueueId queue_of(JobId job) const { return routing_ ? routing_->queue_of[job] : QueueId{0}; }
    ProcCount processors(JobId job) const { return jobs_->processors[job]; }
    bool is_ready(JobId job) const { return hours_.empty() || hours_[queue_of(job)].is_open; }
    void count_waiting(JobId job, int sign) {
        if (!hours_.empty()) hours_[queue_of(job)].n_waiting += sign;
    }
    void refresh_owners_of(JobId job, RequestClasses& classes);
    bool change_hours(Time now, RequestClasses& classes);

    const ReplayJobs* jobs_;
    std::shared_ptr<const Routing> routing_;
    bool lifts_ = false;
    OwnerLimits limits_;
    LimitAccounts accounts_;
    std::vector<Hours> hours_;   // by queue; empty if no queue has hours
    Time hours_change_ = kNever; // next opening or closing of any queue
};

} // namespace slotwise
