#include "estimates/run_time_estimates.hpp"

namespace slotwise {

RunTimeEstimates::RunTimeEstimates(const ReplayContext& context) {
    rebind(context);
}

void RunTimeEstimates::rebind(const ReplayContext& context) {
    jobs_ = &context.jobs;
    policy_ = &context.policy;
    waiting_column_ = column_of(policy_->waiting_estimates);
    running_column_ = column_of(policy_->estimates);
}

RunTimeEstimates::Column RunTimeEstimates::column_of(Estimates estimates) const {
    switch (estimates) {
    case Estimates::requested:
        return &jobs_->requested_time;
    case Estimates::exact:
        return &jobs_->run_time;
    case Estimates::user_history:
        break;
    }
    return nullptr;
}

bool RunTimeEstimates::can_be_outlived() const {
    return policy_->estimates == Estimates::user_history ||
           (policy_->estimates == Estimates::requested && !policy_->kill_at_limit);
}

void RunTimeEstimates::note_ended(std::span<const JobId> ended) {
    if (!learns() && !learns_ahead_) return;
    for (const JobId job : ended)
        history_.add(jobs_->user(job), jobs_->run_time[job]);
}

} // namespace slotwise
