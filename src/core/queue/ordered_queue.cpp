#include "queue/ordered_queue.hpp"

#include <algorithm>

namespace slotwise {

OrderedQueue::OrderedQueue(const OrderSpec& order, const ReplayJobs& jobs)
    : ranking_(order, jobs) {}

OrderedQueue::OrderedQueue(const OrderedQueue& other, const OrderSpec& order,
                           const ReplayJobs& jobs)
    : ranking_(other.ranking_, order, jobs), queue_(other.queue_), sorted_(other.sorted_) {}

void OrderedQueue::sort_at(Time now) {
    if (!drifts()) return;
    sorted_ = queue_;
    ranking_.sort(sorted_, now);
}

void OrderedQueue::insert(JobId job) {
    const auto before = [&](JobId a, JobId b) { return precedes(a, b); };
    queue_.insert(std::upper_bound(queue_.begin(), queue_.end(), job, before), job);
    if (drifts()) sorted_.push_back(job);
}

void OrderedQueue::erase(JobId job) {
    const auto before = [&](JobId a, JobId b) { return precedes(a, b); };
    queue_.erase(std::lower_bound(queue_.begin(), queue_.end(), job, before));
    if (drifts()) std::erase(sorted_, job);
}

} // namespace slotwise
