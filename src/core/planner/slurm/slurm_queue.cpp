#include "planner/slurm/slurm_queue.hpp"

#include <algorithm>
#include <cmath>

namespace slotwise {

SlurmQueue::SlurmQueue(const SlurmSite& site, const OrderSpec& order, const ReplayJobs& jobs)
    : site_(&site), replay_(&jobs), order_(make_order(order)) {}

SlurmQueue::SlurmQueue(const SlurmQueue& other, const OrderSpec& order, const ReplayJobs& jobs)
    : site_(other.site_), replay_(&jobs), order_(make_order(order)), jobs_(other.jobs_) {}

double SlurmQueue::score(JobId job, Time eligible, Time now) const {
    if (order_->is_arrival_order()) return 0;
    const double score = order_->score_since(*replay_, job, eligible, now);
    if (!std::isfinite(score))
        throw OrderError("the priority of a job is infinite or NaN; it must be finite");
    return score;
}

void SlurmQueue::renew(Time now) {
    if (replay_->shares) {
        std::vector<JobId> waiting;
        for (const SlurmJob& each : jobs_)
            waiting.push_back(each.job);
        std::sort(waiting.begin(), waiting.end());
        replay_->shares->renew(waiting, now);
    }
    for (SlurmJob& each : jobs_)
        each.priority = score(each.job, each.eligible, now);
    std::sort(jobs_.begin(), jobs_.end(),
              [this](const SlurmJob& a, const SlurmJob& b) { return before(a, b); });
}

const SlurmJob& SlurmQueue::insert(JobId job, Time limit, Time eligible, Time now) {
    const SlurmJob added{.job = job,
                         .request = site_->request_of[job],
                         .partition = site_->partition_of[job],
                         .user = replay_->user(job),
                         .limit = limit,
                         .submit = replay_->submit(job),
                         .eligible = eligible,
                         .priority = score(job, eligible, now)};
    const auto at =
        std::upper_bound(jobs_.begin(), jobs_.end(), added,
                         [this](const SlurmJob& a, const SlurmJob& b) { return before(a, b); });
    return *jobs_.insert(at, added);
}

} // namespace slotwise
