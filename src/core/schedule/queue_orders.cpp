#include "schedule/queue_orders.hpp"

#include <algorithm>

namespace slotwise {

QueueOrders::QueueOrders(const Site& site, const ReplayJobs& jobs) {
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        const Queue& queue = site.queues[q];
        const OrderSpec& spec = queue.has_order ? queue.order : site.policy.order;
        auto sorting = std::find_if(sortings_.begin(), sortings_.end(),
                                    [&](const Sorting& known) { return known.spec == spec; });
        if (sorting == sortings_.end()) {
            auto order = make_order(spec);
            const bool drifts = !order->is_static();
            auto rank = drifts ? std::vector<JobId>{} : static_ranks(*order, jobs);
            sorting = sortings_.insert(sorting,
                                       {spec, std::move(order), std::move(rank), drifts});
        }
        sorting_of_.push_back(static_cast<std::size_t>(sorting - sortings_.begin()));
        priority_.push_back(sorting->order->weighs_queue_priority() ? 0 : queue.priority);
        std::size_t first = 0;
        while (priority_[first] != priority_[q] || sorting_of_[first] != sorting_of_[q])
            ++first;
        group_.push_back(static_cast<QueueId>(first));
    }
}

bool QueueOrders::drifts() const {
    return std::any_of(sortings_.begin(), sortings_.end(),
                       [](const Sorting& sorting) { return sorting.drifts; });
}

} // namespace slotwise
