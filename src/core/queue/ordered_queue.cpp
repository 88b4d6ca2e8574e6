#include "queue/ordered_queue.hpp"

#include <algorithm>

namespace slotwise {

OrderedQueue::OrderedQueue(const OrderSpec& order, const ReplayJobs& jobs)
    : columns_(&jobs), order_(make_order(order)) {
    if (order_->is_static()) rank_ = static_ranks(*order_, jobs);
}

OrderedQueue::OrderedQueue(const OrderedQueue& other, const OrderSpec& order,
                           const ReplayJobs& jobs)
    : columns_(&jobs), order_(make_order(order)), rank_(other.rank_), jobs_(other.jobs_) {}

void OrderedQueue::sort_at(Time now) {
    if (!drifts() || jobs_.size() < 2) return;
    scores_.resize(jobs_.size());
    order_->score(*columns_, jobs_, now, scores_);
    scored_.clear();
    for (std::size_t i = 0; i < jobs_.size(); ++i)
        scored_.push_back({scores_[i], jobs_[i]});
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    std::transform(scored_.begin(), scored_.end(), jobs_.begin(),
                   [](const Scored& scored) { return scored.job; });
}

void OrderedQueue::insert(JobId job) {
    if (drifts()) {
        jobs_.push_back(job);
        return;
    }
    const auto before = [&](JobId a, JobId b) { return precedes(a, b); };
    jobs_.insert(std::upper_bound(jobs_.begin(), jobs_.end(), job, before), job);
}

void OrderedQueue::erase(JobId job) {
    const auto before = [&](JobId a, JobId b) { return precedes(a, b); };
    jobs_.erase(drifts() ? std::find(jobs_.begin(), jobs_.end(), job)
                         : std::lower_bound(jobs_.begin(), jobs_.end(), job, before));
}

} // namespace slotwise
