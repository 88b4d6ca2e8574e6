#include "queue/job_ranking.hpp"

#include <algorithm>

namespace slotwise {

JobRanking::JobRanking(const OrderSpec& spec, const ReplayJobs& jobs)
    : jobs_(&jobs), ranks_(spec, jobs) {}

JobRanking::JobRanking(const JobRanking& other, const OrderSpec& spec, const ReplayJobs& jobs)
    : jobs_(&jobs), ranks_(other.ranks_, spec) {}

void JobRanking::sort(std::span<JobId> jobs, Time now) {
    if (jobs.empty()) return;
    if (drifts())
        sort_by_score(jobs, now);
    else
        std::sort(jobs.begin(), jobs.end(), [&](JobId a, JobId b) { return precedes(a, b); });
}

void JobRanking::sort_by_score(std::span<JobId> jobs, Time now) {
    scores_.resize(jobs.size());
    order().score(*jobs_, jobs, now, scores_);
    scored_.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        scored_.push_back({scores_[i], jobs[i]});
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    std::transform(scored_.begin(), scored_.end(), jobs.begin(),
                   [](const Scored& scored) { return scored.job; });
}

} // namespace slotwise
