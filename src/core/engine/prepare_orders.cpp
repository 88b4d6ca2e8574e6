#include "engine/prepare_orders.hpp"

#include "order/order.hpp"

#include <stdexcept>

namespace slotwise {

void prepare_orders(const Site& site, ReplayJobs& jobs) {
    const auto prepare = [&](const OrderSpec& spec) { make_order(spec)->prepare(jobs); };
    prepare(site.policy.order);
    prepare(site.policy.order_behind_head());
    for (const Queue& queue : site.queues)
        if (queue.has_order) prepare(queue.order);
}

void prepare_orders_underway(const Site& site, ReplayJobs& jobs) {
    const std::size_t n_followed = jobs.usage.size();
    prepare_orders(site, jobs);
    if (jobs.usage.size() == n_followed) return;
    while (jobs.usage.size() > n_followed)
        jobs.usage.pop_back();
    throw std::invalid_argument(
        "this order weighs the usage of users from the first submission on; "
        "begin the simulation with it");
}

} // namespace slotwise
