#include "engine/prepare_orders.hpp"

#include "machine/nodes/job_demands.hpp"
#include "order/order.hpp"

#include <algorithm>
#include <stdexcept>

namespace slotwise {

namespace {

// Sizes that an order reads which knows the machine: the mean of the parts of its nodes and of its
// processors.
void add_sizes(const Site& site, ReplayJobs& jobs) {
    if (site.policy.order.name != "multifactor") return;
    jobs.machine_processors = site.processors;
    for (const Queue& queue : site.queues)
        jobs.largest_queue_priority = std::max(jobs.largest_queue_priority, queue.priority);
    const double n_nodes = site.has_nodes() ? site.demands->nodes->size() : site.processors;
    jobs.part_of_machine.clear();
    for (JobId job = 0; job < jobs.size(); ++job) {
        const double nodes =
            site.has_nodes() ? nodes_asked(site.demands->demand(job)) : jobs.processors[job];
        jobs.part_of_machine.push_back((nodes / n_nodes + jobs.part_of_processors(job)) / 2.0);
    }
}

} // namespace

void prepare_orders(const Site& site, ReplayJobs& jobs) {
    add_sizes(site, jobs);
    const auto prepare = [&](const OrderSpec& spec) { make_order(spec)->prepare(jobs); };
    prepare(site.policy.order);
    prepare(site.policy.order_behind_head());
    for (const Queue& queue : site.queues)
        if (queue.has_order) prepare(queue.order);
}

void prepare_orders_underway(const Site& site, ReplayJobs& jobs) {
    const std::size_t n_followed = jobs.usage.size();
    const bool had_shares = jobs.shares.has_value();
    prepare_orders(site, jobs);
    if (jobs.usage.size() == n_followed && jobs.shares.has_value() == had_shares) return;
    if (!had_shares) jobs.shares.reset();
    while (jobs.usage.size() > n_followed)
        jobs.usage.pop_back();
    throw std::invalid_argument(
        "this order weighs the usage of users from the first submission on; "
        "begin the simulation with it");
}

} // namespace slotwise
