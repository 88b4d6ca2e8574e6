#include "engine/orders/prepare_orders.hpp"

#include "engine/orders/tres_of_jobs.hpp"
#include "machine/nodes/job_demands.hpp"
#include "order/order.hpp"
#include "site/backfill.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace slotwise {

namespace {

// Stores the size of the machine and of each job in `jobs`.
void add_sizes(const Site& site, ReplayJobs& jobs) {
    jobs.machine_processors = site.processors;
    for (const Queue& queue : site.queues)
        jobs.largest_queue_priority = std::max(jobs.largest_queue_priority, queue.priority);
    jobs.machine_nodes = site.has_nodes() ? site.demands->nodes->size() : site.processors;
    jobs.nodes_asked.clear();
    for (JobId job = 0; job < jobs.size(); ++job)
        jobs.nodes_asked.push_back(
            site.has_nodes() ? jobs.requested_nodes(job, nodes_asked(site.demands->demand(job)))
                             : jobs.processors[job]);
}

} // namespace

void prepare_orders(const Site& site, const Routing* routing, ReplayJobs& jobs) {
    std::vector<std::unique_ptr<Order>> orders;
    orders.push_back(make_order(site.policy.order));
    orders.push_back(make_order(site.policy.order_behind_head()));
    for (const Queue& queue : site.queues)
        if (queue.has_order) orders.push_back(make_order(queue.order));
    jobs.local_epoch = site.local_epoch;
    constexpr const char* kCalcPeriod = "priority_calc_period";
    if (has_parameter(site.policy, kCalcPeriod))
        jobs.calc_period = static_cast<Time>(parameter_of(site.policy, kCalcPeriod));
    if (std::any_of(orders.begin(), orders.end(),
                    [](const auto& order) { return order->reads_sizes(); }))
        add_sizes(site, jobs);
    if (std::any_of(orders.begin(), orders.end(),
                    [](const auto& order) { return order->reads_tres(); }))
        jobs.tres = tres_of_jobs(site, routing, jobs);
    for (const std::unique_ptr<Order>& order : orders)
        order->prepare(jobs);
}

void prepare_orders_underway(const Site& site, const Routing* routing, ReplayJobs& jobs) {
    const std::size_t n_followed = jobs.usage.size();
    const bool had_shares = jobs.shares.has_value();
    prepare_orders(site, routing, jobs);
    if (jobs.usage.size() == n_followed && jobs.shares.has_value() == had_shares) return;
    if (!had_shares) jobs.shares.reset();
    while (jobs.usage.size() > n_followed)
        jobs.usage.pop_back();
    throw std::invalid_argument("this order depends on all usage since the first submission; begin "
                                "the simulation with this order");
}

} // namespace slotwise
