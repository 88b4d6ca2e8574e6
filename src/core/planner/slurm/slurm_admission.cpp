#include "planner/slurm/slurm_admission.hpp"

namespace slotwise {

SlurmAdmission::SlurmAdmission(const Site& site, const ReplayJobs& jobs,
                               const std::shared_ptr<const Routing>& routing)
    : routing_(routing) {
    if (routing == nullptr) return;
    rules_.emplace(site, jobs, *routing);
    if (rules_->all()) rules_.reset();
}

bool SlurmAdmission::take(std::span<const JobId> jobs) {
    if (!has_limits()) return true;
    std::size_t n_taken = 0;
    for (const JobId job : jobs) {
        if (!rules_->admits(job, routing_->queue_of[job])) break;
        rules_->note_submitted(job, routing_->queue_of[job], 1);
        ++n_taken;
    }
    if (n_taken == jobs.size()) return true;
    for (const JobId job : jobs.first(n_taken))
        rules_->note_submitted(job, routing_->queue_of[job], -1);
    return false;
}

bool SlurmAdmission::admits(JobId job, Time now) {
    if (!rules_) return true;
    const Time opens = rules_->opens(job);
    if (opens <= now) return true;
    if (opens == kNever)
        blocked_.insert(job);
    else
        opened_.emplace(opens, job);
    return false;
}

void SlurmAdmission::note_over(JobId job, Time end, JobEnding ending) {
    if (!rules_) return;
    rules_->note_over(job, end, ending, [this](JobId dependent, Time opens) {
        if (blocked_.erase(dependent) > 0) opened_.emplace(opens, dependent);
    });
}

std::vector<SlurmAdmission::Opened> SlurmAdmission::take_opened(Time now) {
    const auto behind = opened_.upper_bound({now, kNoJob});
    std::vector<Opened> found(opened_.begin(), behind);
    opened_.erase(opened_.begin(), behind);
    return found;
}

void SlurmAdmission::note_queued(const SlurmJob& job) {
    if (rules_) rules_->note_waiting(job.job, queue_of(job));
}

void SlurmAdmission::note_started(const SlurmJob& job, ProcCount processors,
                                  std::span<const Place> places) {
    if (!rules_) return;
    rules_->note_started(job.job, queue_of(job), processors);
    rules_->note_nodes(job.job, queue_of(job), places, 1);
}

void SlurmAdmission::note_ended(JobId job, QueueId queue, ProcCount processors,
                                std::span<const Place> places) {
    if (!rules_) return;
    rules_->note_stopped(job, queue, processors);
    rules_->note_submitted(job, queue, -1);
    rules_->note_nodes(job, queue, places, -1);
}

} // namespace slotwise
