#include "site/site_check.hpp"

#include "machine/nodes/job_demands.hpp"
#include "site/backfill.hpp"
#include "site/calendar.hpp"
#include "site/policy_check.hpp"
#include "site/torus_check.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace slotwise {

namespace {

[[noreturn]] void refuse_site(const std::string& message) {
    throw std::invalid_argument(message);
}

void check_policy(const Policy& policy, bool on_nodes) {
    const auto refuse_switch = [&](bool set, const std::string& name, const std::string& remedy) {
        if (set)
            refuse_site(name +
                        (on_nodes ? " is not for nodes with several resources: choose "
                                  : " takes no pools, queues, limits or calendar yet: choose ") +
                        remedy);
    };
    bool WorksOn::* const fact = on_nodes ? &WorksOn::nodes : &WorksOn::pools;
    refuse_switch(!(backfill_registry().find(policy.backfill).works_on.*fact),
                  "backfill '" + policy.backfill + "'", backfills_that_work(fact));
    refuse_switch(on_nodes && policy.allocation != Allocation::first,
                  "an allocation other than 'first'", "the placement of the nodes");
    refuse_switch(policy.promise_per_arrival, "promises='per-arrival'", "promises='per-pass'");
    refuse_switch(policy.strict_end, "strict_end", "strict_end=False");
    refuse_switch(!policy.spare_processors, "spare_processors=False", "spare_processors=True");
    refuse_switch(policy.frozen_reservation, "frozen_reservation", "frozen_reservation=False");
    refuse_switch(policy.ending_now_is_free, "ending_now='free'", "ending_now='busy'");
    refuse_switch(policy.event_order != EventOrder::completions_first,
                  "event_order='arrivals-first'", "'completions-first'");
    refuse_switch(policy.backfill_order.has_value(), "backfill_order", "one order for all jobs");
    refuse_switch(policy.waiting_estimates != policy.estimates, "waiting_estimates",
                  "estimates alone");
}

void check_pools(const Site& site) {
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < site.pools.size(); ++p) {
        const Pool& pool = site.pools[p];
        if (pool.processors < 1)
            refuse_site("pool '" + pool.name + "' has " + std::to_string(pool.processors) +
                        " processors; it needs at least 1");
        if (pool.has_threshold && !std::isfinite(pool.threshold))
            refuse_site("pool '" + pool.name + "' has no finite threshold; give a number");
        sum += pool.processors;
        for (std::size_t other = 0; other < p; ++other)
            if (site.pools[other].name == pool.name)
                refuse_site("two pools are named '" + pool.name + "'; give each a name of its own");
    }
    if (sum > site.processors)
        refuse_site("the pools have " + std::to_string(sum) + " processors together, the machine " +
                    std::to_string(site.processors) + "; pools are disjoint parts of the machine");
}

void check_limit(std::int64_t limit, const std::string& whose, const char* name) {
    if (limit != kNoLimit && limit < 1)
        refuse_site("limit " + std::string(name) + " of " + whose + " is " + std::to_string(limit) +
                    "; it must be at least 1, or left out where there is none");
}

void check_limits(const Limits& limits, const std::string& whose) {
    for (const LimitInfo& limit : kLimits)
        check_limit(limits.*limit.value, whose, limit.name);
}

void check_ranges(const Queue& queue, const std::string& name) {
    if (queue.min_processors < 1 || queue.max_processors < queue.min_processors)
        refuse_site(name + " takes " + std::to_string(queue.min_processors) + " to " +
                    std::to_string(queue.max_processors) +
                    " processors; give a range that begins at 1 or more and does not end before");
    if (queue.above_requested_time < 0 || queue.max_requested_time <= queue.above_requested_time)
        refuse_site(name + " takes walltimes above " + std::to_string(queue.above_requested_time) +
                    " s up to " + std::to_string(queue.max_requested_time) +
                    " s; give a range that begins at 0 or more and ends later");
    if (!queue.has_ranges && queue.trace_queues.empty())
        refuse_site(name + " takes no job; give it ranges or queues of the trace");
    if (!std::isfinite(queue.priority))
        refuse_site(name + " has no finite priority; give a number");
    if (queue.starvation < 0)
        refuse_site(name + " starves after " + std::to_string(queue.starvation) +
                    " s; give 0 or more, or leave it out");
    for (const DayTimes& times : queue.hours)
        if (times.open < 0 || times.open >= 86400 || times.close < 0 || times.close > 86400)
            refuse_site(name + " is open from second " + std::to_string(times.open) + " to " +
                        std::to_string(times.close) + " of the day; a day has 86400");
}

void check_pools_of(const Site& site, const Queue& queue, const std::string& name) {
    const std::size_t n_pools = std::max<std::size_t>(site.pools.size(), 1);
    for (auto pool = queue.pools.begin(); pool != queue.pools.end(); ++pool) {
        if (*pool >= n_pools)
            refuse_site(name + " names pool number " + std::to_string(*pool) + " of " +
                        std::to_string(n_pools));
        if (std::find(queue.pools.begin(), pool, *pool) != pool)
            refuse_site(name + " names pool '" + site.pools[*pool].name + "' twice");
        if (site.pools.empty()) continue;
        const Pool& named = site.pools[*pool];
        if (!named.has_threshold) continue;
        if (queue.spanning)
            refuse_site(name + " is spanning and names pool '" + named.name +
                        "', which has a threshold; its jobs have none to pass: take the pool out");
        if (queue.priority <= 0 && named.threshold >= 0)
            refuse_site(name + " has priority " + std::to_string(queue.priority) +
                        " and so never passes the threshold of pool '" + named.name +
                        "'; give it a priority above 0");
    }
}

// Whether every job `later` takes by its ranges goes to `earlier`.
bool hides(const Queue& earlier, const Queue& later) {
    return earlier.has_ranges && earlier.min_processors <= later.min_processors &&
           earlier.max_processors >= later.max_processors &&
           earlier.above_requested_time <= later.above_requested_time &&
           earlier.max_requested_time >= later.max_requested_time;
}

void check_queues(const Site& site) {
    if (site.queues.size() > 30000 || site.pools.size() > 30000)
        refuse_site("more than 30000 queues or pools");
    for (auto queue = site.queues.begin(); queue != site.queues.end(); ++queue) {
        const std::string name = "queue '" + queue->name + "'";
        check_ranges(*queue, name);
        check_pools_of(site, *queue, name);
        check_limits(queue->limits, name);
        for (auto earlier = site.queues.begin(); earlier != queue; ++earlier) {
            if (earlier->name == queue->name)
                refuse_site("two queues are named '" + queue->name +
                            "'; give each a name of its own");
            if (queue->has_ranges && queue->trace_queues.empty() && hides(*earlier, *queue))
                refuse_site(name + " never gets a job, as all it takes go to queue '" +
                            earlier->name + "' before it; narrow that one, or put it later");
        }
    }
}

void check_pool_of_nodes(const std::string& what, const std::string& name, bool names_pool) {
    if (names_pool)
        refuse_site(what + " '" + name +
                    "' names a pool, and a machine of nodes has none; name nodes");
}

// Nodes take no pools; queues name their nodes.
void check_nodes(const Site& site) {
    if (!site.pools.empty())
        refuse_site("pool '" + site.pools.front().name +
                    "' on a machine of nodes; have queues name their nodes");
    for (const Queue& queue : site.queues) {
        if (queue.spanning)
            refuse_site("queue '" + queue.name +
                        "' is spanning on a machine of nodes; have it name its nodes");
        check_pool_of_nodes("queue", queue.name, !queue.pools.empty());
        const std::int32_t n_nodes = site.demands->nodes->size();
        if (!queue.nodes.empty() && (queue.nodes.front() < 0 || queue.nodes.back() >= n_nodes))
            refuse_site("queue '" + queue.name + "' names node number " +
                        std::to_string(queue.nodes.back()) + " of " + std::to_string(n_nodes) +
                        "; name nodes of the machine");
    }
}

} // namespace

void check(const Site& site) {
    check_policy(site.policy, site.has_nodes());
    if (site.has_nodes()) check_nodes(site);
    check_pools(site);
    check_queues(site);
    check_limits(site.limits, "the site");
}

void check_replayable(const Site& site) {
    check(site.policy);
    check_torus(site);
    check_calendar(site);
    if (site.processors <= 0)
        refuse_site("a machine of " + std::to_string(site.processors) +
                    " processors; it needs at least 1");
    if (!site.is_plain() || site.has_nodes()) check(site);
}

} // namespace slotwise
