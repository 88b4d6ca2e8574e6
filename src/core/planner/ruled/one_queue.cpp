#include "planner/ruled/one_queue.hpp"

#include "estimates/run_time_estimates.hpp"
#include "planner/ruled/maintenance_windows.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Each function names every member of its type. A new member does not compile until it is named
// here, and compared with its default unless the planners cover it.

bool is_covered(const Policy& policy) {
    const auto& [order, backfill, backfill_order, parameters, estimates, passes, period,
                 kill_at_limit, allocation, reserve, event_order, waiting_estimates,
                 ending_now_is_free, spare_processors, strict_end, frozen_reservation,
                 compress_at_every_end, promise_per_arrival] = policy;
    return !order.by_hand_first && !backfill_order && estimates == Estimates::requested &&
           passes == Passes::per_instant && kill_at_limit && allocation == Allocation::first &&
           reserve == Reserve::numbers && event_order == EventOrder::completions_first &&
           waiting_estimates == Estimates::requested && !ending_now_is_free && spare_processors &&
           !strict_end && !frozen_reservation && !compress_at_every_end && !promise_per_arrival;
}

bool is_covered(const Limits& limits) {
    Limits covered;
    for (const LimitInfo& limit : kLimits)
        if (limit.counted == LimitCounted::running_jobs ||
            limit.counted == LimitCounted::processors)
            covered.*limit.value = limits.*limit.value;
    covered.lifted_when_idle = limits.lifted_when_idle;
    return limits == covered;
}

bool is_covered(const Pool& pool) {
    const auto& [name, processors, has_threshold, threshold] = pool;
    return !has_threshold;
}

// `first` is the first queue of the site, `order` that of the policy.
bool is_covered(const Queue& queue, const Queue& first, const OrderSpec& spec, const Order& order) {
    const auto& [name, has_ranges, min_processors, max_processors, above_requested_time,
                 max_requested_time, default_requested_time, trace_queues, trace_partitions,
                 priority, has_order, queue_order, limits, starvation, hours, pools, spanning,
                 nodes, min_nodes, max_nodes] = queue;
    const bool is_as_first = order.weighs_queue_priority() || priority == first.priority;
    return is_as_first && (!has_order || queue_order == spec) && is_covered(limits) &&
           starvation == kNever && pools.size() == 1 && !spanning && nodes.empty();
}

bool is_covered(const Site& site, const Order& order) {
    const auto& [processors, torus, placement, demands, policy, pools, queues, limits, named_limits,
                 outages, crashes, interruption, reservations, dependencies, plans_queues,
                 midnight] = site;
    return torus == nullptr && placement.is_none() && demands == nullptr && pools.size() == 1 &&
           is_covered(pools[0]) && is_covered(limits) && named_limits.empty() &&
           MaintenanceWindows::fits(site) && !dependencies && !plans_queues &&
           std::all_of(queues.begin(), queues.end(), [&](const Queue& queue) {
               return is_covered(queue, queues[0], policy.order, order);
           });
}

} // namespace

bool is_covered(const ReplayContext& context, const Order& order) {
    const Site& site = context.site;
    return is_covered(context.policy) && !site.has_nodes() && !site.has_torus() &&
           site.interruption.checkpoint_cost == 0 && context.jobs.priority_by_hand.empty() &&
           !RunTimeEstimates(context).can_be_outlived() &&
           (context.routing != nullptr ? is_covered(site, order) : site.is_plain());
}

} // namespace slotwise
