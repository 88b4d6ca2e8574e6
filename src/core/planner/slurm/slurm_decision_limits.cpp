#include "planner/slurm/slurm_decision_limits.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

LimitCounts::OwnerCounts owner_counts(std::span<const SlurmDecisionLimits::Counted> jobs) {
    LimitCounts::OwnerCounts count{1, 0, 0, 0, 0};
    for (const SlurmDecisionLimits::Counted& job : jobs)
        for (std::size_t scope = 0; scope < kLimitScopes; ++scope)
            if (job.owner.of[scope] != Owner::kUnknown)
                count[scope] = std::max<std::size_t>(count[scope], job.owner.of[scope] + 1);
    return count;
}

} // namespace

SlurmDecisionLimits::SlurmDecisionLimits(const Limits& of_site, std::span<const Queue> queues,
                                         std::vector<Counted> jobs)
    : of_site_(of_site, owner_counts(jobs)), jobs_(std::move(jobs)) {
    for (const Queue& queue : queues)
        of_partitions_.emplace_back(queue.limits, owner_counts(jobs_));
}

JobUse SlurmDecisionLimits::use_of(JobId job) const {
    const Counted& counted = jobs_[job];
    return {counted.processors, &counted.demand, nodes_asked(counted.demand)};
}

bool SlurmDecisionLimits::holds_back(JobId job, std::uint32_t partition) const {
    const Owner& owner = jobs_[job].owner;
    const JobUse use = use_of(job);
    return !of_site_.fits_now(owner, use) || !of_partitions_[partition].fits_now(owner, use);
}

bool SlurmDecisionLimits::allows_on(JobId job, std::uint32_t partition, std::size_t n_nodes) const {
    const std::vector<Place> places(n_nodes);
    const Owner& owner = jobs_[job].owner;
    return of_site_.fits_on(owner, places) && of_partitions_[partition].fits_on(owner, places);
}

void SlurmDecisionLimits::note_started(JobId job, std::uint32_t partition, std::size_t n_nodes) {
    const std::vector<Place> places(n_nodes);
    const Owner& owner = jobs_[job].owner;
    const JobUse use = use_of(job);
    for (LimitCounts* counts : {&of_site_, &of_partitions_[partition]}) {
        counts->count(owner, use, 1);
        counts->count_nodes(owner, places, 1);
    }
}

} // namespace slotwise
