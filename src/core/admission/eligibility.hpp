// Decides which waiting jobs are eligible. An eligible job is not held, has no unmet dependency,
// and is allowed by the opening hours of its queue and by every limit.
//
// Example with running_per_user 1: user 1 has a running job and a waiting one; user 2 has one
// waiting job, further back in the queue. The waiting job of user 1 is not eligible: it is skipped,
// gets no reservation and blocks no other job. The job of user 2 is tried next. Once it has
// started, no other job of user 2 is eligible in the same pass.
#pragma once

#include "admission/array_limits.hpp"
#include "admission/dependencies.hpp"
#include "admission/limit_counts.hpp"
#include "admission/routing.hpp"
#include "replay/replay_jobs.hpp"
#include "site/opening_hours.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class Eligibility {
  public:
    // The site must come from completed().
    Eligibility(const Site& site, const ReplayJobs& jobs, const Routing& routing);

    // Returns true if there are no rules and no held jobs. Every waiting job is then eligible.
    bool all() const { return unruled_ && n_held_ == 0; }

    // Returns true if the rules allow the job to start now. `queue` must be the queue of the job.
    bool allows(JobId job, QueueId queue, ProcCount processors, Time now) const {
        return all() || (is_ready(job, queue, now) && fits_now(job, queue, processors));
    }

    // Returns true if the rules allow the job to start now, regardless of opening hours.
    bool allows_at_any_hour(JobId job, QueueId queue, ProcCount processors, Time now) const {
        return all() || (!is_held(job) && dependencies_.opens(job) <= now &&
                         fits_now(job, queue, processors));
    }

    // Returns true if all rules, except the limits that `lifted_when_idle` lifts, allow the job to
    // start now. Always returns false if there are no limits.
    bool allows_when_lifted(JobId job, QueueId queue, ProcCount processors, Time now) const;

    void note_waiting(JobId job, QueueId queue);
    // Records that the job is no longer waiting.
    void note_started(JobId job, QueueId queue, ProcCount processors);
    void note_cancelled(JobId job, QueueId queue);

    // Records that the job is no longer running. Returns true if that may make another job
    // eligible.
    bool note_stopped(JobId job, QueueId queue, ProcCount processors);

    // Records that `job` has ended, was cancelled or was rejected. Calls `opened(dependent, time)`
    // for each job whose dependencies are now met.
    template <class Opened> void note_over(JobId job, Time end, JobEnding ending, Opened&& opened) {
        dependencies_.note_over(job, end, ending, opened);
    }

    // Returns the earliest time at which the dependencies of `job` allow it to start, or kNever
    // while that time is unknown.
    Time opens(JobId job) const { return dependencies_.opens(job); }

    // hold() puts a hold on the job, and release() removes it. `waits` must be true if the job is
    // waiting, and false otherwise.
    void hold(JobId job, QueueId queue, bool waits);
    void release(JobId job, QueueId queue, bool waits);
    bool is_held(JobId job) const { return n_held_ > 0 && job < held_.size() && held_[job] != 0; }

    // Returns the number of waiting jobs that are not held.
    std::size_t n_free() const { return n_free_; }

    // Returns the number of waiting jobs that are not held and have no unmet dependency.
    std::size_t n_coming() const { return n_coming_; }

    // Records that the dependencies of a waiting job are met.
    void note_opened(JobId job, QueueId queue) {
        if (!is_held(job)) count_coming(queue, 1);
    }

    // Returns the first time after `now` at which a queue with waiting jobs opens, or kNever if
    // there is none. Jobs that are held or have unmet dependencies are ignored.
    Time next_opening(Time now) const;

    // Returns the first time after `now` at which a queue with waiting jobs closes. While a queue
    // is closed, its jobs do not delay other jobs. Jobs that are held or have unmet dependencies
    // are ignored.
    Time next_closing(Time now) const;

    bool has_limits() const { return !owners_->empty(); } // including array limits

    // The following functions implement limits on nodes in use. allows_on() returns true if the job
    // may start on these nodes. note_nodes() updates the counts when a job takes nodes (sign 1) or
    // releases them (sign −1).
    bool counts_nodes() const { return counts_nodes_; }
    bool allows_on(JobId job, QueueId queue, std::span<const Place> places) const;
    void note_nodes(JobId job, QueueId queue, std::span<const Place> places, int sign);

    // The following functions implement limits on submitted jobs. admits() returns true if one more
    // job may be submitted. note_submitted() updates the counts when a job arrives (sign 1), or
    // when it ends or is cancelled (sign −1).
    bool admits(JobId job, QueueId queue) const;
    void note_submitted(JobId job, QueueId queue, int sign);
    bool have_same_owners(JobId one, JobId other) const {
        return (*owners_)[one].of == (*owners_)[other].of && arrays_.are_same(one, other);
    }
    bool has_hours() const { return has_hours_; }

  private:
    struct Named {
        LimitCounts counts;
        // For each job, 1 if the limit applies to an owner of the job, otherwise 0.
        std::shared_ptr<const std::vector<std::uint8_t>> members;
    };
    Owner owner(JobId job) const { return owners_->empty() ? Owner{} : (*owners_)[job]; }
    bool is_ready(JobId job, QueueId queue, Time now) const {
        return !is_held(job) && dependencies_.opens(job) <= now &&
               (!has_hours_ || hours_[queue].is_open(now));
    }
    bool fits_now(JobId job, QueueId queue, ProcCount processors) const {
        if (!has_limits()) return true;
        const Owner& who = (*owners_)[job];
        const JobUse use = use_of(job, processors);
        const auto has_room_in = [&](const LimitCounts& limits) {
            return !limits.any() ||
                   (limits.fits_now(who, use) && limits.is_within_queued(who, job));
        };
        return has_room_in(site_limits_) && has_room_in(limits_[queue]) &&
               all_named(job, has_room_in) && arrays_.has_room(job);
    }
    // Returns true if `holds` returns true for every limit on named owners that applies to the job.
    template <class Holds> bool all_named(JobId job, Holds&& holds) const {
        for (const Named& named : named_)
            if ((*named.members)[job] != 0 && !holds(named.counts)) return false;
        return true;
    }
    template <class Visitor> void for_each(JobId job, QueueId queue, Visitor&& visit) {
        visit(limits_[queue]);
        visit(site_limits_);
        for (Named& named : named_)
            if ((*named.members)[job] != 0) visit(named.counts);
    }
    void count_free(JobId job, QueueId queue, int sign);
    void count_coming(QueueId queue, int sign);
    bool is_within_queued(JobId job, QueueId queue) const;
    JobUse use_of(JobId job, ProcCount processors) const;

    // The owners of each job; empty if there are no limits.
    std::shared_ptr<const std::vector<Owner>> owners_;
    std::shared_ptr<const JobShapes> shapes_; // shapes of jobs; null on a machine without nodes
    std::vector<LimitCounts> limits_;         // one element per queue
    LimitCounts site_limits_;
    std::vector<Named> named_;
    ArrayLimits arrays_;
    std::vector<OpeningHours> hours_;      // one element per queue
    std::vector<std::size_t> n_coming_of_; // one element per queue
    std::size_t n_coming_ = 0;
    std::size_t n_free_ = 0;
    Dependencies dependencies_;
    std::vector<std::uint8_t> held_; // 1 for each held job, otherwise 0
    std::size_t n_held_ = 0;
    bool has_hours_ = false;
    bool counts_nodes_ = false;
    bool unruled_;
};

} // namespace slotwise
