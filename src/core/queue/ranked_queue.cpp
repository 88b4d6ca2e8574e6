#include "queue/ranked_queue.hpp"

#include <algorithm>

namespace slotwise {

RankedQueue::RankedQueue(const OrderSpec& spec, const ReplayJobs& jobs)
    : jobs_(&jobs), order_(make_order(spec)), drifts_(!order_->is_static()) {
    if (!drifts_) rank_ = static_ranks(*order_, jobs);
}

RankedQueue::RankedQueue(const RankedQueue& other, const OrderSpec& spec, const ReplayJobs& jobs)
    : jobs_(&jobs), order_(make_order(spec)), drifts_(other.drifts_), rank_(other.rank_),
      queue_(other.queue_) {}

void RankedQueue::add(JobId job) {
    const auto before = [this](JobId a, JobId b) { return precedes(a, b); };
    queue_.insert(std::upper_bound(queue_.begin(), queue_.end(), job, before), job);
}

std::span<const JobId> RankedQueue::at(Time now) {
    if (!drifts_) return queue_;
    scores_.assign(queue_.size(), 0.0);
    order_->score(*jobs_, queue_, now, scores_);
    keys_.clear();
    for (std::size_t i = 0; i < queue_.size(); ++i)
        keys_.push_back({scores_[i], queue_[i]});
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    sorted_.clear();
    for (const Key& key : keys_)
        sorted_.push_back(key.job);
    return sorted_;
}

} // namespace slotwise
