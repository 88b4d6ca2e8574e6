#include "order/order.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace slotwise {

Registry<OrderFactory>& order_registry() {
    static Registry<OrderFactory> registry("order");
    return registry;
}

std::unique_ptr<Order> make_order(const OrderSpec& spec) {
    return order_registry().find(spec.name).make();
}

std::vector<JobId> static_ranks(const Order& order, const ReplayJobs& jobs) {
    if (order.is_arrival_order()) return {};
    std::vector<JobId> by_rank(jobs.size());
    std::iota(by_rank.begin(), by_rank.end(), JobId{0});
    std::vector<double> scores(jobs.size());
    order.score(jobs, by_rank, jobs.first_submit, scores);
    const auto precedes = [&](JobId a, JobId b) { return scores[a] > scores[b]; };
    std::stable_sort(by_rank.begin(), by_rank.end(), precedes);
    std::vector<JobId> rank(jobs.size());
    for (std::size_t i = 0; i < by_rank.size(); ++i)
        rank[by_rank[i]] = static_cast<JobId>(i);
    return rank;
}

} // namespace slotwise
