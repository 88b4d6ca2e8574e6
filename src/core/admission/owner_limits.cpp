#include "admission/owner_limits.hpp"

#include <utility>

namespace slotwise {

OwnerLimits::OwnerLimits(const Site& site, const ReplayJobs& jobs) {
    add(site.limits, kNoQueue, jobs);
    for (std::size_t queue = 0; queue < site.queues.size(); ++queue)
        add(site.queues[queue].limits, static_cast<QueueId>(queue), jobs);
}

void OwnerLimits::add(const Limits& limits, QueueId queue, const ReplayJobs& jobs) {
    for (const LimitInfo& limit : kLimits) {
        const std::int64_t most = limits.*limit.value;
        if (most == kNoLimit) continue;
        const std::size_t at = add_scope(limit.scope, jobs);
        const bool counts_processors = limit.counted == LimitCounted::processors;
        counts_processors_ = counts_processors_ || counts_processors;
        are_by_owner_ = are_by_owner_ && !counts_processors && queue == kNoQueue;
        bounds_.push_back({most, counts_processors,
                           queue == kNoQueue && limit.scope != LimitScope::all, queue,
                           scopes_[at].numbers ? scopes_[at].numbers->data() : nullptr,
                           std::vector<std::int64_t>(n_owners_[at], 0),
                           std::vector<ProcCount>(counts_processors ? n_owners_[at] : 0, 0)});
    }
}

// Returns the position of the scope in scopes_. If the scope is new, first assigns numbers to its
// owners.
std::size_t OwnerLimits::add_scope(LimitScope scope, const ReplayJobs& jobs) {
    for (std::size_t at = 0; at < scopes_.size(); ++at)
        if (scopes_[at].scope == scope) return at;
    if (scope == LimitScope::all) {
        scopes_.push_back({scope, nullptr});
        n_owners_.push_back(1);
        return scopes_.size() - 1;
    }
    OwnerNumbers numbers;
    std::vector<std::uint32_t> of_jobs(jobs.size(), kUnknown);
    for (JobId job = 0; job < jobs.size(); ++job)
        if (const std::int32_t who = jobs.owner(job, scope); who >= 0)
            of_jobs[job] = numbers.number_of(who);
    scopes_.push_back(
        {scope, std::make_shared<const std::vector<std::uint32_t>>(std::move(of_jobs))});
    n_owners_.push_back(numbers.size());
    return scopes_.size() - 1;
}

} // namespace slotwise
