#include "planner/ruled/one_queue.hpp"

#include "estimates/run_time_estimates.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Each function below lists every member of the type that it checks. If a member is added, the code
// does not compile until the member is handled here. Limits are read from their table, in which
// each entry states what the limit counts. If these planners have no rule for a member, it must
// have its default value. The comments list the members that may have any value.

// Accepts any value of `backfill`, which the caller tests, and of `period`, which is 0 unless
// passes are periodic.
bool is_covered(const Policy& policy) {
    const auto& [order, backfill, backfill_order, parameters, estimates, passes, period,
                 kill_at_limit, allocation, reserve, event_order, waiting_estimates,
                 ending_now_is_free, spare_processors, strict_end, frozen_reservation,
                 compress_at_every_end, promise_per_arrival] = policy;
    return !order.manual_first && !backfill_order && parameters.empty() &&
           estimates == Estimates::requested && passes == Passes::per_instant && kill_at_limit &&
           allocation == Allocation::first && reserve == Reserve::numbers &&
           event_order == EventOrder::completions_first &&
           waiting_estimates == Estimates::requested && !ending_now_is_free && spare_processors &&
           !strict_end && !frozen_reservation && !compress_at_every_end && !promise_per_arrival;
}

// Accepts any limits on running jobs and on processors in use, and any value of `lifted_when_idle`.
bool is_covered(const Limits& limits) {
    const auto is_checked_by_class = [](const LimitInfo& limit) {
        return limit.counted == LimitCounted::running_jobs ||
               limit.counted == LimitCounted::processors;
    };
    return limits.amounts.empty() && !limits.holds_submitted &&
           std::all_of(kLimits.begin(), kLimits.end(), [&](const LimitInfo& limit) {
               return is_checked_by_class(limit) || limits.*limit.value == kNoLimit;
           });
}

// Accepts any name and any number of processors.
bool is_covered(const Pool& pool) {
    const auto& [name, processors, has_threshold, threshold] = pool;
    return !has_threshold;
}

// Accepts any opening hours, the limits that are covered, and any value of `tier` and `exclusive`,
// which only Slurm's schedulers read. Members that are used only to route jobs before the replay
// may also have any value: the name, the ranges, the default request, and the trace's queues and
// partitions that map to the queue. `first` is the first queue of the site, `spec` is the order of
// the policy, and `order` is the object created from it.
bool is_covered(const Queue& queue, const Queue& first, const OrderSpec& spec, const Order& order) {
    const auto& [name, has_ranges, min_processors, max_processors, above_requested_time,
                 max_requested_time, default_requested_time, trace_queues, trace_partitions,
                 priority, has_order, queue_order, limits, starvation, hours, pools, spanning,
                 nodes, min_nodes, max_nodes, tier, exclusive] = queue;
    const bool is_as_first = order.weighs_queue_priority() || priority == first.priority;
    return is_as_first && (!has_order || queue_order == spec) && is_covered(limits) &&
           starvation == kNever && pools.size() == 1 && !spanning && nodes.empty() &&
           min_nodes == 0 && max_nodes == kNever;
}

// Accepts drains of the whole machine, with any name and at any times. `pool` is the machine's only
// pool.
bool is_covered(const Outage& outage, const Pool& pool) {
    const auto& [name, mode, start, duration, every, in_pool, processors, nodes] = outage;
    return mode == Outage::Mode::drain && (in_pool == kAnyPool || in_pool == 0) &&
           (processors == 0 || processors >= pool.processors) && nodes.named.empty() &&
           nodes.type < 0 && nodes.count == 0;
}

// Accepts any value of `mean`, `shape`, `seed`, `repair` and `per_node`, because crashes never
// happen on a covered site.
bool is_covered(const Crashes& crashes) {
    const auto& [times, law, mean, shape, seed, repair, per_node] = crashes;
    return times.empty() && law == Crashes::Law::none;
}

// Accepts any treatment of interrupted jobs, because no job is interrupted. A checkpoint cost is
// not accepted, because it lengthens all jobs.
bool is_covered(const Interruption& interruption) {
    const auto& [requeue, checkpoint_every, checkpoint_at, checkpoint_cost, refund] = interruption;
    return checkpoint_cost == 0;
}

// The values of these members do not matter: `processors`; `node_weights`, which only machines with
// nodes have; `dependency_lists`, which is not read on a site without dependencies; `midnight`,
// from which opening hours are counted; and `local_epoch`, which is used only to create the order.
// `is_queued` is true if the site has pools and queues.
bool is_covered(const Site& site, const Order& order, bool is_queued) {
    const auto& [processors, torus, placement, demands, node_weights, policy, pools, queues, limits,
                 named_limits, outages, crashes, interruption, reservations, dependencies,
                 dependency_lists, plans_queues, midnight, local_epoch] = site;
    if (torus != nullptr || !placement.is_none() || demands != nullptr || dependencies ||
        plans_queues || !reservations.empty() || !named_limits.empty() || !is_covered(crashes) ||
        !is_covered(interruption))
        return false;
    if (!is_queued) return site.is_plain();
    return pools.size() == 1 && is_covered(pools[0]) && is_covered(limits) &&
           std::all_of(outages.begin(), outages.end(),
                       [&](const Outage& outage) { return is_covered(outage, pools[0]); }) &&
           std::all_of(queues.begin(), queues.end(), [&](const Queue& queue) {
               return is_covered(queue, queues[0], policy.order, order);
           });
}

} // namespace

bool is_covered(const ReplayContext& context, const Order& order) {
    const auto& [jobs, site, policy, processors, schedule, routing] = context;
    return is_covered(policy) && jobs.manual_priorities.empty() &&
           !RunTimeEstimates(context).can_be_outlived() &&
           is_covered(site, order, routing != nullptr);
}

} // namespace slotwise
