// The run times that the scheduler assumes (Policy::estimates and Policy::waiting_estimates). Only
// this class decides whether a plan uses requested times, actual run times or predictions.
#pragma once

#include "containers/shared_column.hpp"
#include "estimates/user_history.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <span>

namespace slotwise {

class RunTimeEstimates {
  public:
    explicit RunTimeEstimates(const ReplayContext& context);

    // Switches to `context`, which must contain the same jobs.
    void rebind(const ReplayContext& context);

    // Returns the current estimate of a waiting job.
    Duration waiting(JobId job) const { return estimate(waiting_column_, job); }

    // Returns the estimate that the plan uses for a job that starts now.
    Duration running(JobId job) const { return estimate(running_column_, job); }

    // Returns the estimates of all waiting jobs, or null if the end of a job may change them.
    const SharedColumn<Duration>* waiting_column() const { return waiting_column_; }

    // Returns true if the end of a job may change the estimates of waiting jobs.
    bool waiting_drift() const { return waiting_column_ == nullptr; }

    // Returns true if the estimate of a job may change when it starts.
    bool change_at_start() const { return waiting_column_ != running_column_; }

    // Returns true if a running job can exceed its estimate.
    bool can_be_outlived() const;

    // Returns true if estimates are learned from the jobs that have ended.
    bool learns() const { return waiting_column_ == nullptr || running_column_ == nullptr; }

    // Makes this object record finished jobs under any policy, because rebind() may later switch to
    // a policy that learns from them.
    void learn_ahead() { learns_ahead_ = true; }

    void note_ended(std::span<const JobId> ended);

  private:
    using Column = const SharedColumn<Duration>*; // estimates of jobs; null if they are predicted

    Column column_of(Estimates estimates) const;
    Duration estimate(Column column, JobId job) const {
        return column != nullptr ? (*column)[job]
                                 : history_.predict(jobs_->user(job), jobs_->requested_time[job]);
    }

    const ReplayJobs* jobs_;
    const Policy* policy_;
    Column waiting_column_;
    Column running_column_;
    UserHistory history_;
    bool learns_ahead_ = false;
};

} // namespace slotwise
