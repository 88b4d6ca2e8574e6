#include "site/site_check.hpp"

#include "guard.hpp"
#include "machine/nodes/job_demands.hpp"
#include "site/backfill.hpp"
#include "site/calendar.hpp"
#include "site/policy_check.hpp"
#include "site/torus_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotwise {

namespace {

constexpr std::size_t kMostParts = 30000;
constexpr std::int32_t kSecondsPerDay = 86400;

void check_switches(const Site& site) {
    const Policy& policy = site.policy;
    const bool on_nodes = site.has_nodes();
    const std::string_view part =
        on_nodes ? "nodes with several resources" : "pools, queues, limits and calendar";
    const WorksOn& works_on = backfill_registry().find(policy.backfill).works_on;
    guard(on_nodes ? works_on.nodes : works_on.pools, part,
          "not supported by this backfill; choose another backfill");
    guard(!on_nodes || policy.allocation == Allocation::first, part, "allocation must be 'first'");
    guard(!policy.promise_per_arrival, part, "promises must be 'per-pass'");
    guard(!policy.strict_end, part, "strict_end must be false");
    guard(policy.spare_processors, part, "spare_processors must be true");
    guard(!policy.frozen_reservation, part, "frozen_reservation must be false");
    guard(!policy.ending_now_is_free, part, "ending_now must be 'busy'");
    guard(policy.event_order == EventOrder::completions_first, part,
          "event_order must be 'completions-first'");
    guard(!policy.backfill_order.has_value(), part, "backfill_order must be left out");
    guard(policy.waiting_estimates == policy.estimates, part,
          "waiting_estimates must equal estimates");
    guard(!policy.compress_at_every_end || !on_nodes, part, "compression must be 'early-end'");
}

void check_pools(const Site& site) {
    std::int64_t sum = 0;
    for (auto pool = site.pools.begin(); pool != site.pools.end(); ++pool) {
        const std::string part = "pool '" + pool->name + "'";
        guard(pool->processors >= 1, part, "processors must be at least 1");
        guard(!pool->has_threshold || std::isfinite(pool->threshold), part,
              "threshold must be finite");
        guard(std::none_of(site.pools.begin(), pool,
                           [&](const Pool& other) { return other.name == pool->name; }),
              part, "names of pools must differ");
        sum += pool->processors;
    }
    guard(sum <= site.processors,
          "the pools together must not have more processors than the machine");
}

void check_limits(const Limits& limits, std::string_view part) {
    for (const LimitInfo& limit : kLimits)
        guard(limits.*limit.value == kNoLimit || limits.*limit.value >= 1, part,
              "its limits must be at least 1");
}

void check_ranges(const Queue& queue, const std::string& part) {
    guard(queue.min_processors >= 1 && queue.max_processors >= queue.min_processors, part,
          "processors must be a range that begins at 1 or more");
    guard(queue.above_requested_time >= 0 && queue.max_requested_time > queue.above_requested_time,
          part, "walltime must be a range that begins at 0 or more");
    guard(queue.has_ranges || !queue.trace_queues.empty(), part,
          "it must have a range of processors or walltime, or queues of the trace");
    guard(std::isfinite(queue.priority), part, "priority must be finite");
    guard(queue.starvation >= 0, part, "starvation must be at least 0 s");
    for (const DayTimes& times : queue.hours)
        guard(times.open >= 0 && times.open < kSecondsPerDay && times.close >= 0 &&
                  times.close <= kSecondsPerDay,
              part, "hours must lie within one day");
}

void check_pools_of(const Site& site, const Queue& queue, const std::string& part) {
    const std::size_t n_pools = std::max<std::size_t>(site.pools.size(), 1);
    for (auto pool = queue.pools.begin(); pool != queue.pools.end(); ++pool) {
        guard(*pool < n_pools, part, "its pools must be pools of the site");
        guard(std::find(queue.pools.begin(), pool, *pool) == pool, part,
              "it must not list a pool twice");
        if (site.pools.empty() || !site.pools[*pool].has_threshold) continue;
        guard(!queue.spanning, part, "a spanning queue must not use a pool with a threshold");
        guard(queue.priority > 0 || site.pools[*pool].threshold < 0, part,
              "priority must be above 0 to pass the threshold of a pool");
    }
}

// Returns true if every job within the ranges of `later` is also within the ranges of `earlier`.
bool hides(const Queue& earlier, const Queue& later) {
    return earlier.has_ranges && earlier.min_processors <= later.min_processors &&
           earlier.max_processors >= later.max_processors &&
           earlier.above_requested_time <= later.above_requested_time &&
           earlier.max_requested_time >= later.max_requested_time;
}

void check_queues(const Site& site) {
    guard(site.queues.size() <= kMostParts && site.pools.size() <= kMostParts,
          "a site may have at most 30000 queues and 30000 pools");
    for (auto queue = site.queues.begin(); queue != site.queues.end(); ++queue) {
        const std::string part = "queue '" + queue->name + "'";
        check_ranges(*queue, part);
        check_pools_of(site, *queue, part);
        check_limits(queue->limits, part);
        for (auto earlier = site.queues.begin(); earlier != queue; ++earlier) {
            guard(earlier->name != queue->name, part, "names of queues must differ");
            guard(!queue->has_ranges || !queue->trace_queues.empty() || !hides(*earlier, *queue),
                  part, "an earlier queue must not accept every job that this queue accepts");
        }
    }
}

// A machine with nodes has no pools; instead, each queue lists its nodes.
void check_nodes(const Site& site) {
    const std::int32_t n_nodes = site.demands->nodes->size();
    guard(site.pools.empty(), "machine", "a machine with nodes cannot have pools");
    for (const Queue& queue : site.queues) {
        const std::string part = "queue '" + queue.name + "'";
        guard(!queue.spanning, part, "a queue on nodes must not span pools");
        guard(queue.pools.empty(), part, "a queue on nodes must list nodes, not pools");
        guard(queue.nodes.empty() || (queue.nodes.front() >= 0 && queue.nodes.back() < n_nodes),
              part, "its nodes must be nodes of the machine");
    }
}

} // namespace

void check_policy_of_queues(const Site& site) {
    check(site.policy);
    check_switches(site);
}

void check_replayable(const Site& site) {
    check(site.policy);
    check_torus(site);
    check_calendar(site);
    guard(site.processors > 0, "a machine must have at least 1 processor");
    if (site.has_nodes()) {
        check_switches(site);
        check_nodes(site);
    }
    if (site.is_plain()) return;
    check_switches(site);
    check_pools(site);
    check_queues(site);
    check_limits(site.limits, "site");
    for (const NamedLimits& named : site.named_limits) {
        guard(!named.owners.empty(), "named limit",
              "it must list users, groups, accounts or qualities of service");
        check_limits(named.limits, "named limit");
    }
}

} // namespace slotwise
