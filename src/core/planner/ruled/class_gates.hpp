// The rules that open and close classes of waiting jobs: limits and opening hours.
//
// Example with running_per_user 1: user 1 has three identical jobs. When the first one starts, the
// class of the other two is closed. Once the first one has ended, the class is opened again.
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

// If the context has no routing, there are no rules, and every job is eligible.
class ClassGates {
  public:
    explicit ClassGates(const ReplayContext& context);
    ClassGates(const ClassGates& other, const ReplayContext& context);

    bool any() const { return routing_ != nullptr; }
    bool has_limits() const { return limits_.any(); }

    // Returns true if the site's limits are lifted when no eligible job is waiting.
    bool lifts() const { return lifts_; }

    // Returns true if the job may start at the instant passed to the last call to follow_hours().
    bool allows(JobId job) const {
        return is_ready(job) && limits_.allows(job, queue_of(job), processors(job));
    }
    bool allows_when_lifted(JobId job) const {
        return has_limits() && is_ready(job) &&
               limits_.allows_when_lifted(job, queue_of(job), processors(job));
    }

    // Returns true if the rules always treat these two jobs alike.
    bool have_same_rules(JobId one, JobId other) const {
        return queue_of(one) == queue_of(other) && limits_.count_alike(one, other);
    }

    void note_waiting(JobId job) { count_waiting(job, 1); }
    void note_cancelled(JobId job) { count_waiting(job, -1); }

    // note_started() records that a waiting job starts, and note_ended() records that a running job
    // has ended. Both open or close the classes of this job's owners if necessary.
    void note_started(JobId job, RequestClasses& classes) {
        count_waiting(job, -1);
        if (has_limits() && limits_.count_start(job, queue_of(job), processors(job)))
            refresh_owners_of(job, classes);
    }
    void note_ended(JobId job, RequestClasses& classes) {
        if (has_limits() && limits_.count_end(job, queue_of(job), processors(job)))
            refresh_owners_of(job, classes);
    }

    // Returns the owner to use for a class whose front is this job. The limits open and close all
    // classes of an owner together.
    RequestClasses::Owner owner_of(JobId job);

    // Opens and closes classes according to the opening hours of their queues. Returns true if any
    // queue opened or closed. `now` must not decrease from one call to the next.
    bool follow_hours(Time now, RequestClasses& classes) {
        return now >= hours_change_ && change_hours(now, classes);
    }

    // Returns the next time at which a queue with waiting jobs opens, or kNever if there is none.
    // The time is after the instant of the last call to follow_hours().
    Time next_opening() const {
        Time next = kNever;
        for (const Hours& hours : hours_)
            if (hours.n_waiting > 0) next = std::min(next, hours.opening);
        return next;
    }

    // Returns the queue of the job, or kNoQueue if there are no rules.
    QueueId queue_number(JobId job) const { return routing_ ? routing_->queue_of[job] : kNoQueue; }

  private:
    struct Hours {
        OpeningHours hours;
        bool is_open = true;
        Time opening = kNever; // time at which the queue opens next
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
    std::vector<Hours> hours_;   // indexed by queue; empty if no queue has opening hours
    Time hours_change_ = kNever; // next time at which any queue opens or closes
};

} // namespace slotwise
