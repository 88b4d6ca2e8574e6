// Rules that open and close classes of waiting jobs: limits and opening hours.
//
// Example, running_per_user 1: user 1 has three equal jobs. The first starts, and the gates close
// the class of the other two. Once the first has ended, the class opens.
#pragma once

#include "admission/eligibility.hpp"
#include "admission/routing.hpp"
#include "planner/ruled/request_classes.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace slotwise {

// Without a routing in the context there are no rules, and every job is eligible.
class ClassGates {
  public:
    explicit ClassGates(const ReplayContext& context);
    ClassGates(const ClassGates& other, const ReplayContext& context);

    bool any() const { return eligibility_.has_value(); }
    bool has_limits() const { return eligibility_ && eligibility_->has_limits(); }

    // True if limits of the site are lifted while no eligible job waits.
    bool lifts() const { return lifts_; }

    bool allows(JobId job, Time now) const {
        return !eligibility_ || eligibility_->allows(job, queue_of(job), processors(job), now);
    }
    bool allows_when_lifted(JobId job, Time now) const {
        return eligibility_->allows_when_lifted(job, queue_of(job), processors(job), now);
    }

    // True if the rules always treat these two jobs alike.
    bool have_same_rules(JobId one, JobId other) const {
        return queue_of(one) == queue_of(other) &&
               (!has_limits() || eligibility_->have_same_owners(one, other));
    }

    void note_waiting(JobId job) {
        if (eligibility_) eligibility_->note_waiting(job, queue_of(job));
    }
    void note_cancelled(JobId job) {
        if (eligibility_) eligibility_->note_cancelled(job, queue_of(job));
    }

    // Records that a waiting job starts, or that a running job has ended; opens and closes classes
    // of its owners.
    void note_started(JobId job, Time now, RequestClasses& classes);
    void note_ended(JobId job, Time now, RequestClasses& classes);

    // Number that identifies an owner if all limits have one scope; 0 if they have several.
    std::uint32_t owner_of(JobId job) const {
        return scopes_.size() == 1 ? eligibility_->owner_in(scopes_[0], job) : 0;
    }

    // Opens and closes classes with their queues' hours; returns true if any queue changed. `now`
    // never decreases between calls.
    bool follow_hours(Time now, RequestClasses& classes) {
        return now >= hours_change_ && change_hours(now, classes);
    }

    // Number of waiting jobs. Requires rules.
    std::size_t n_waiting() const { return eligibility_->n_free(); }

    // First opening, after the last follow_hours(), of a queue in which a job waits; or kNever.
    Time next_opening() const {
        Time next = kNever;
        for (std::size_t queue = 0; queue < opening_.size(); ++queue)
            if (eligibility_->n_coming_in(static_cast<QueueId>(queue)) > 0)
                next = std::min(next, opening_[queue]);
        return next;
    }

    // kNoQueue without rules.
    QueueId queue_number(JobId job) const { return routing_ ? routing_->queue_of[job] : kNoQueue; }

  private:
    QueueId queue_of(JobId job) const { return routing_ ? routing_->queue_of[job] : QueueId{0}; }
    ProcCount processors(JobId job) const { return jobs_->processors[job]; }
    bool shares_limits(JobId one, JobId other) const;
    void refresh_owners_of(JobId job, bool opens, Time now, RequestClasses& classes);
    bool change_hours(Time now, RequestClasses& classes);

    const ReplayJobs* jobs_;
    std::shared_ptr<const Routing> routing_;
    bool lifts_ = false;
    std::optional<Eligibility> eligibility_; // empty: every job is eligible
    std::vector<std::size_t> scopes_;        // with limits of running jobs or of processors
    std::vector<Time> opening_;  // by queue: the next opening, if there are opening hours
    Time hours_change_ = kNever; // next opening or closing of any queue
};

} // namespace slotwise
