// The rules that determine which jobs the schedulers consider. Jobs whose dependencies are not yet
// met are outside the queue of Slurm's schedulers. Some limits hold back jobs in the queue; others
// cause jobs to be rejected when they are submitted.
//
// Example: job 2 depends on job 1, which ends at 100. Until then, job 2 is outside the queue:
// neither scheduler considers it, and its age does not grow. It enters the queue at 100. With a
// limit of two submitted jobs per user, a third job that the same user submits before 100 is
// rejected.
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

    // If `routing` is null, every submitted job may enter the queue.
    SlurmAdmission(const Site& site, const ReplayJobs& jobs,
                   const std::shared_ptr<const Routing>& routing);

    // Counts jobs that are submitted together, for example the tasks of an array. If they would
    // exceed a limit on submitted jobs, counts none of them and returns false.
    bool take(std::span<const JobId> jobs);

    // Returns true if the submitted job may enter the queue immediately. Otherwise the job is
    // outside the queue.
    bool admits(JobId job, Time now);

    // Records that the job has ended, or that it will never run.
    void note_over(JobId job, Time end, JobEnding ending);

    // Returns the jobs that enter the queue now, in the order in which they become eligible.
    std::vector<Opened> take_opened(Time now);
    // Returns the next time at which a job enters the queue, or kNever.
    Time next() const { return opened_.empty() ? kNever : opened_.begin()->first; }
    std::size_t n_outside() const { return blocked_.size() + opened_.size(); }

    // The following functions implement limits on running jobs. holds_back() returns true if such a
    // limit prevents the job from starting now.
    bool has_limits() const { return rules_ && rules_->has_limits(); }
    bool holds_back(const SlurmJob& job, ProcCount processors, Time now) const {
        return !rules_->allows(job.job, queue_of(job), processors, now);
    }
    void note_queued(const SlurmJob& job);
    // Returns true if the limits on nodes allow the job to use these places.
    bool allows_on(const SlurmJob& job, std::span<const Place> places) const {
        return !rules_ || rules_->allows_on(job.job, queue_of(job), places);
    }
    void note_started(const SlurmJob& job, ProcCount processors, std::span<const Place> places);
    void note_ended(JobId job, QueueId queue, ProcCount processors, std::span<const Place> places);

  private:
    static QueueId queue_of(const SlurmJob& job) { return static_cast<QueueId>(job.partition); }

    std::shared_ptr<const Routing> routing_; // null if there are no rules
    std::optional<Eligibility> rules_;
    std::set<JobId> blocked_; // jobs that will enter the queue at an unknown time
    std::set<Opened> opened_; // jobs that will enter the queue at a known time
};

} // namespace slotwise
