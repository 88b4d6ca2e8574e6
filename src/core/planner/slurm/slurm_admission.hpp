// Jobs outside the queue of Slurm's schedulers, because they depend on others, limits that hold
// back jobs in the queue, and limits that reject jobs as they are submitted.
//
// Example: job 2 depends on job 1, which ends at 100. Until then, job 2 is outside: neither
// scheduler considers it, and it does not age. It enters the queue at 100. With a limit of two
// submitted jobs per user, a third job of their user is rejected before 100.
#pragma once

#include "admission/eligibility.hpp"
#include "admission/routing.hpp"
#include "planner/slurm/slurm_jobs.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class SlurmAdmission {
  public:
    using Opened = std::pair<Time, JobId>; // the time from which the job is eligible

    // Without `routing`, the site has no rules.
    SlurmAdmission(const Site& site, const ReplayJobs& jobs,
                   const std::shared_ptr<const Routing>& routing);

    // Counts jobs that are submitted together, as the tasks of an array are. Returns false, and
    // counts none, if they would exceed a limit on submitted jobs.
    bool take(std::span<const JobId> jobs);

    // True if the submitted job may enter the queue at once; otherwise it is outside.
    bool admits(JobId job, Time now);

    // Records that the job will not run any more, or again.
    void note_over(JobId job, Time end, JobEnding ending);

    // Jobs that enter the queue now, in order of time.
    std::vector<Opened> take_opened(Time now);
    Time next() const { return opened_.empty() ? kNever : opened_.begin()->first; } // of them
    std::size_t n_outside() const { return blocked_.size() + opened_.size(); }

    // Limits on running jobs. True if one keeps the job from starting now.
    bool has_limits() const { return rules_ && rules_->has_limits(); }
    bool holds_back(const SlurmJob& job, ProcCount processors, Time now) const {
        return !rules_->allows(job.job, queue_of(job), processors, now);
    }
    void note_queued(const SlurmJob& job);
    // True if the limits on nodes allow the job these places.
    bool allows_on(const SlurmJob& job, std::span<const Place> places) const {
        return !rules_ || rules_->allows_on(job.job, queue_of(job), places);
    }
    void note_started(const SlurmJob& job, ProcCount processors, std::span<const Place> places);
    void note_ended(JobId job, QueueId queue, ProcCount processors, std::span<const Place> places);

  private:
    static QueueId queue_of(const SlurmJob& job) { return static_cast<QueueId>(job.partition); }

    std::shared_ptr<const Routing> routing_; // null: no rules
    std::optional<Eligibility> rules_;
    std::set<JobId> blocked_; // outside; the time is unknown
    std::set<Opened> opened_; // outside; the time is known
};

} // namespace slotwise
