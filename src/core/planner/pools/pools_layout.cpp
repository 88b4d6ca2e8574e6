#include "planner/pools/pools_layout.hpp"

#include "admission/array_limits.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

std::int64_t count_queues(const Site& site, PoolId pool) {
    return std::count_if(site.queues.begin(), site.queues.end(), [&](const Queue& queue) {
        return !queue.spanning &&
               std::find(queue.pools.begin(), queue.pools.end(), pool) != queue.pools.end();
    });
}

// Returns the backfill rule of a pool. A pool with a threshold always uses EASY backfilling.
PoolsLayout::Backfill backfill_of(const Site& site, PoolId pool, const Policy& policy) {
    if (site.pools[pool].has_threshold) return {.reservations = 1};
    return plan_of(policy, count_queues(site, pool));
}

} // namespace

PoolsLayout::PoolsLayout(const ReplayContext& context)
    : site(context.site), orders(site, context.jobs), has_calendar(site.has_calendar()),
      may_change(context.policy.order.manual_first) {
    has_intervals = site.has_torus() && is_contiguous(context.policy.allocation);
    reserves_nodes = site.has_nodes() && context.policy.reserve == Reserve::nodes;
    limits_arrays = site.dependencies && has_array_limits(*context.jobs.table);
    make_lines();
    make_clusters();
    for (std::size_t p = 0; p < site.pools.size(); ++p)
        backfills.push_back(backfill_of(site, static_cast<PoolId>(p), context.policy));
    for (std::size_t p = 0; p < site.pools.size(); ++p)
        forms.push_back(form_of(static_cast<PoolId>(p)));
    make_promises(context);
    keeps_reservations = reserves_nodes && may_keep_reservations();
    for (std::size_t q = 0; q < site.queues.size(); ++q)
        groups_identical.push_back(may_group_identical(static_cast<QueueId>(q), context.policy));
    for (Cluster& cluster : clusters) {
        cluster.sweeps_whole = counts_queued || site.limits.lifted_when_idle || has_promises ||
                               std::any_of(cluster.pools.begin(), cluster.pools.end(),
                                           [&](PoolId p) { return backfills[p].reservations > 1; });
        cluster.has_threshold = std::any_of(cluster.pools.begin(), cluster.pools.end(),
                                            [&](PoolId p) { return site.pools[p].has_threshold; });
        cluster.may_go_on =
            !cluster.spanning.empty() || site.limits.lifted_when_idle || !site.reservations.empty();
        cluster.settles_arrivals =
            !site.limits.lifted_when_idle && !has_promises &&
            std::none_of(cluster.pools.begin(), cluster.pools.end(),
                         [&](PoolId pool) { return forms[pool] != PlanForm::releases; });
        cluster.keeps_bounds = may_keep_bounds(cluster);
    }
    may_pass_quickly = context.policy.passes == Passes::per_instant && !site.dependencies &&
                       std::all_of(clusters.begin(), clusters.end(),
                                   [](const Cluster& cluster) { return cluster.keeps_bounds; });
}

void PoolsLayout::make_lines() {
    lines_of.resize(site.queues.size());
    lines_of_pool.resize(site.pools.size());
    std::size_t most = 0;
    for (const Queue& queue : site.queues)
        if (!queue.spanning) most = std::max(most, queue.pools.size());
    for (std::size_t choice = 0; choice < most; ++choice) {
        for (std::size_t p = 0; p < site.pools.size(); ++p) {
            PoolLineFacts line{static_cast<PoolId>(p), false};
            bool asked = false;
            for (std::size_t q = 0; q < site.queues.size(); ++q) {
                const Queue& queue = site.queues[q];
                if (queue.spanning || choice >= queue.pools.size() ||
                    queue.pools[choice] != line.pool)
                    continue;
                lines_of[q].push_back(lines.size());
                line.drifts |= orders.drifting(static_cast<QueueId>(q)) != nullptr;
                asked = true;
            }
            if (!asked) continue;
            lines_of_pool[p].push_back(lines.size());
            lines.push_back(line);
        }
    }
}

void PoolsLayout::make_clusters() {
    // Repeatedly sets the root of each pool to the lowest-numbered pool to which it is connected,
    // until nothing changes.
    std::vector<std::size_t> root(site.pools.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    if (site.has_limits() || limits_arrays) std::fill(root.begin(), root.end(), std::size_t{0});
    for (bool changed = true; changed;) {
        changed = false;
        for (const Queue& queue : site.queues) {
            std::size_t least = site.pools.size();
            for (const PoolId p : queue.pools)
                least = std::min(least, root[p]);
            for (const PoolId p : queue.pools) {
                changed = changed || root[p] != least;
                root[p] = least;
            }
        }
    }
    cluster_of.resize(site.pools.size());
    for (std::size_t p = 0; p < site.pools.size(); ++p) {
        if (root[p] == p) {
            cluster_of[p] = clusters.size();
            clusters.emplace_back();
        }
        cluster_of[p] = cluster_of[root[p]];
        clusters[cluster_of[p]].pools.push_back(static_cast<PoolId>(p));
    }
    for (std::size_t at = 0; at < lines.size(); ++at) {
        Cluster& cluster = clusters[cluster_of[lines[at].pool]];
        cluster.lines.push_back(at);
        if (site.pools[lines[at].pool].has_threshold) cluster.threshold_lines.push_back(at);
    }
    for (std::size_t q = 0; q < site.queues.size(); ++q) {
        const Queue& queue = site.queues[q];
        Cluster& cluster = clusters[cluster_of_queue(static_cast<QueueId>(q))];
        (queue.spanning ? cluster.spanning : cluster.queues).push_back(static_cast<QueueId>(q));
        has_spanning = has_spanning || queue.spanning;
        counts_queued = counts_queued || queue.limits.queued_per_user != kNoLimit ||
                        site.limits.queued_per_user != kNoLimit ||
                        std::any_of(site.named_limits.begin(), site.named_limits.end(),
                                    [](const NamedLimits& named) {
                                        return named.limits.queued_per_user != kNoLimit;
                                    });
        cluster.may_settle_late =
            cluster.may_settle_late || counts_queued || (!queue.spanning && queue.pools.size() > 1);
    }
}

void PoolsLayout::make_promises(const ReplayContext& context) {
    const Policy& policy = context.policy;
    const StartGrid grid{context.jobs.first_submit,
                         policy.passes == Passes::periodic ? policy.period : 1};
    for (const Queue& queue : site.queues) {
        const auto first = std::find_if(queue.pools.begin(), queue.pools.end(),
                                        [&](PoolId pool) { return backfills[pool].promises; });
        const bool none = queue.spanning || first == queue.pools.end();
        promises_from.push_back(none ? kAnyPool : *first);
        start_times.emplace_back(grid, OpeningHours(queue.hours, site.midnight));
    }
    has_promises = backfill_registry().find(policy.backfill).plan(policy, 1).promises;
}

// Returns the form of the pool's plan. The pools of a spanning queue have fenced plans. If one of
// these pools needs a stepped plan, or if the cluster has several spanning queues, they all have
// stepped plans.
PlanForm PoolsLayout::form_of(PoolId pool) const {
    if (must_be_stepped(pool)) return PlanForm::stepped;
    PlanForm form = PlanForm::releases;
    const std::vector<QueueId>& spanning = clusters[cluster_of[pool]].spanning;
    for (const QueueId queue : spanning) {
        const std::vector<PoolId>& its = site.queues[queue].pools;
        if (std::find(its.begin(), its.end(), pool) == its.end()) continue;
        const bool is_stepped =
            spanning.size() > 1 ||
            std::any_of(its.begin(), its.end(), [&](PoolId p) { return must_be_stepped(p); });
        form = is_stepped ? PlanForm::stepped : PlanForm::fenced;
    }
    return form;
}

bool PoolsLayout::must_be_stepped(PoolId pool) const {
    return site.has_nodes() || has_intervals || may_change || has_calendar ||
           backfills[pool].reservations > 1 || backfills[pool].relaxes || backfills[pool].promises;
}

// Returns true if only the ends and arrivals of jobs and the reservations of spanning queues affect
// which jobs may start.
bool PoolsLayout::may_keep_bounds(const Cluster& cluster) const {
    return !cluster.sweeps_whole && !site.has_nodes() && !has_intervals && !may_change &&
           !has_calendar && !site.has_limits() &&
           std::all_of(cluster.pools.begin(), cluster.pools.end(),
                       [&](PoolId pool) {
                           return backfills[pool].reservations <= 1 && !backfills[pool].relaxes;
                       }) &&
           std::all_of(site.queues.begin(), site.queues.end(),
                       [](const Queue& queue) { return queue.hours.empty(); });
}

bool PoolsLayout::may_keep_reservations() const {
    const Queue& only = site.queues.front();
    return site.queues.size() == 1 && site.pools.size() == 1 && only.hours.empty() &&
           only.starvation == kNever && !has_calendar && !site.dependencies && !counts_queued &&
           !site.limits.lifted_when_idle && !has_promises && !may_change && !backfills[0].relaxes;
}

// Returns true if only the first of several identical jobs needs to be tried. All of them must be
// tried if each may have a reservation or a promise, or if their estimates may change.
bool PoolsLayout::may_group_identical(QueueId queue, const Policy& policy) const {
    const std::vector<PoolId>& pools = site.queues[queue].pools;
    return orders.keeps_arrival_order(queue) &&
           policy.waiting_estimates != Estimates::user_history &&
           site.interruption.requeue != Requeue::from_checkpoint &&
           std::all_of(pools.begin(), pools.end(), [&](PoolId pool) {
               return !backfills[pool].promises &&
                      (backfills[pool].reservations <= 1 || backfills[pool].by_queue);
           });
}

} // namespace slotwise
