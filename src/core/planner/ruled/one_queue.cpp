#include "planner/ruled/one_queue.hpp"

#include "estimates/run_time_estimates.hpp"

#include <algorithm>

namespace slotwise {

namespace {

bool limits_running_only(const Limits& limits) {
    return limits.amounts.empty() && limits.queued_per_user == kNoLimit &&
           std::all_of(kLimits.begin(), kLimits.end(), [&](const LimitInfo& limit) {
               return limit.counted != LimitCounted::submitted_jobs ||
                      limits.*limit.value == kNoLimit;
           });
}

const OrderSpec& order_of(const Site& site, const Queue& queue) {
    return queue.has_order ? queue.order : site.policy.order;
}

} // namespace

bool has_default_switches(const ReplayContext& context) {
    const Policy& policy = context.policy;
    const Site& site = context.site;
    return !policy.backfill_order && !policy.order.by_hand_first &&
           policy.passes == Passes::per_instant && policy.estimates == Estimates::requested &&
           policy.waiting_estimates == Estimates::requested &&
           policy.allocation == Allocation::first && !policy.ending_now_is_free &&
           policy.spare_processors && !policy.strict_end && !policy.frozen_reservation &&
           !policy.compress_at_every_end && !policy.promise_per_arrival && !site.has_nodes() &&
           !site.has_torus() && site.interruption.checkpoint_cost == 0 &&
           context.jobs.priority_by_hand.empty() && !RunTimeEstimates(context).can_be_outlived();
}

bool is_one_queue(const Site& site, const Order& order) {
    if (site.pools.size() != 1 || site.pools[0].has_threshold || site.plans_queues ||
        site.dependencies || !limits_running_only(site.limits))
        return false;
    return std::all_of(site.queues.begin(), site.queues.end(), [&](const Queue& queue) {
        return order_of(site, queue) == site.policy.order && limits_running_only(queue.limits) &&
               queue.pools.size() == 1 && !queue.spanning && queue.starvation == kNever &&
               (order.weighs_queue_priority() || queue.priority == site.queues[0].priority);
    });
}

} // namespace slotwise
