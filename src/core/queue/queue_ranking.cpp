#include "queue/queue_ranking.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

QueueRanking::QueueRanking(const Site& site, const ReplayJobs& jobs) {
    std::vector<double> priority; // by queue; 0 if the queue's order uses priorities itself
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        const Queue& queue = site.queues[q];
        sorting_of_.push_back(
            find_or_make(queue.has_order ? queue.order : site.policy.order, jobs));
        priority.push_back(sortings_[sorting_of_[q]].weighs ? 0.0 : queue.priority);
        std::size_t first = 0;
        while (priority[first] != priority[q] || sorting_of_[first] != sorting_of_[q])
            ++first;
        group_.push_back(static_cast<QueueId>(first));
    }
}

QueueRanking::QueueRanking(const QueueRanking& other)
    : sorting_of_(other.sorting_of_), group_(other.group_) {
    for (const Sorting& sorting : other.sortings_)
        sortings_.push_back({sorting.spec, {sorting.ranks, sorting.spec}, sorting.weighs});
}

// Manual priorities are compared as part of the key, so the orders ignore them here.
std::size_t QueueRanking::find_or_make(OrderSpec spec, const ReplayJobs& jobs) {
    spec.manual_first = false;
    for (std::size_t i = 0; i < sortings_.size(); ++i)
        if (sortings_[i].spec == spec) return i;
    OrderRanks ranks(spec, jobs);
    const bool weighs = ranks.order().weighs_queue_priority();
    sortings_.push_back({spec, std::move(ranks), weighs});
    return sortings_.size() - 1;
}

bool QueueRanking::drifts() const {
    return std::any_of(sortings_.begin(), sortings_.end(),
                       [](const Sorting& sorting) { return sorting.ranks.drifts(); });
}

} // namespace slotwise
