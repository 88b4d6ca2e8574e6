// What the scheduler believes of run times (Policy::estimates and Policy::waiting_estimates): the
// one place that decides whether a plan sees requests, real run times or predictions.
#pragma once

#include "estimates/user_history.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

class RunTimeEstimates {
  public:
    explicit RunTimeEstimates(const ReplayContext& context);

    // Goes on over `context`, which holds the same jobs.
    void rebind(const ReplayContext& context);

    // The length believed of a waiting job, now.
    Duration waiting(JobId job) const { return believe(waiting_column_, job); }

    // The length with which a job that starts now enters the plan.
    Duration running(JobId job) const { return believe(running_column_, job); }

    // The same of every job, or null where estimates of waiting jobs change when jobs end.
    const std::vector<Duration>* waiting_column() const { return waiting_column_; }

    // Whether estimates of waiting jobs change when jobs end.
    bool waiting_drift() const { return waiting_column_ == nullptr; }

    // Whether what is believed of a job changes as it starts.
    bool change_at_start() const { return waiting_column_ != running_column_; }

    // Whether a running job can outlive what was believed of it.
    bool can_be_outlived() const;

    // Whether the jobs that have ended say anything.
    bool learns() const { return waiting_column_ == nullptr || running_column_ == nullptr; }

    // What is said of the jobs that have ended is kept: rebind() may be to a policy that learns.
    void learn_ahead() { learns_ahead_ = true; }

    void note_ended(std::span<const JobId> ended);

  private:
    using Column = const std::vector<Duration>*; // null: predicted by the user's history

    Column column_of(Estimates estimates) const;
    Duration believe(Column column, JobId job) const {
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
