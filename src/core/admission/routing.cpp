#include "admission/routing.hpp"

#include "admission/interval_gaps.hpp"
#include "admission/job_owners.hpp"
#include "admission/limit_counts.hpp"
#include "admission/node_gaps.hpp"
#include "admission/pool_gaps.hpp"
#include "admission/site_shapes.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

namespace slotwise {

namespace {

QueueId first_that_contains(const std::vector<Queue>& queues, ProcCount processors,
                            std::int64_t requested, std::int64_t nodes) {
    const std::int64_t length = std::max<std::int64_t>(requested, 1);
    for (std::size_t q = 0; q < queues.size(); ++q) {
        const Queue& queue = queues[q];
        if (queue.has_ranges && processors >= queue.min_processors &&
            processors <= queue.max_processors && length > queue.above_requested_time &&
            length <= queue.max_requested_time && nodes >= queue.min_nodes &&
            nodes <= queue.max_nodes)
            return static_cast<QueueId>(q);
    }
    return kNoQueue;
}

// Returns the processors of a job. On a machine with nodes, also returns its demand and its number
// of nodes.
JobUse use_of(const Site& site, JobId job, ProcCount processors) {
    if (!site.has_nodes()) return {processors};
    const UnitDemand& demand = site.demands->demand(job);
    return {processors, &demand, nodes_asked(demand)};
}

// Maps each number in a column of the trace to a queue. If several queues list the same number, the
// first of these queues is used.
class MappedQueues {
  public:
    MappedQueues(const std::vector<Queue>& queues, std::vector<std::int32_t> Queue::* numbers,
                 std::span<const std::int32_t> column)
        : column_(column) {
        for (std::size_t q = 0; q < queues.size(); ++q)
            for (const std::int32_t number : queues[q].*numbers)
                queue_of_.try_emplace(number, static_cast<QueueId>(q));
    }

    QueueId queue_of(JobId job) const {
        if (queue_of_.empty() || column_.empty()) return kNoQueue;
        const auto found = queue_of_.find(column_[job]);
        return found == queue_of_.end() ? kNoQueue : found->second;
    }

  private:
    std::unordered_map<std::int32_t, QueueId> queue_of_;
    std::span<const std::int32_t> column_;
};

// Returns the largest number of processors that any job of the queue can get.
std::int64_t widest_job(const Site& site, const Queue& queue) {
    std::int64_t widest = 0;
    for (const PoolId p : queue.pools) {
        const Pool& pool = site.pools[p];
        if (!may_open(pool, queue)) continue;
        widest = queue.spanning ? widest + pool.processors
                                : std::max<std::int64_t>(widest, pool.processors);
    }
    return widest;
}

// Returns true if a job on its own exceeds a limit on processors or other resources. `knows`
// returns true for the scopes in which the job's owner is known.
template <class Knows>
bool is_above(const Limits& limits, const JobUse& use, bool lifted, Knows&& knows) {
    const auto applies = [&](LimitScope scope) {
        return scope == LimitScope::all || (!lifted && knows(scope));
    };
    const bool above = std::any_of(kLimits.begin(), kLimits.end(), [&](const LimitInfo& limit) {
        const std::int64_t most = limits.*limit.value;
        return limit.counted == LimitCounted::processors && applies(limit.scope) &&
               most != kNoLimit && use.processors > most;
    });
    return above ||
           std::any_of(limits.amounts.begin(), limits.amounts.end(), [&](const AmountLimit& limit) {
               const std::int64_t amount =
                   limit.resource == AmountLimit::kNodes ? use.nodes : use.amount(limit.resource);
               return applies(limit.scope) && amount > limit.most;
           });
}

// Returns true if there is any limit that a single job could exceed on its own.
bool bounds_amounts(const Limits& limits) {
    return !limits.amounts.empty() ||
           std::any_of(kLimits.begin(), kLimits.end(), [&](const LimitInfo& limit) {
               return limit.counted == LimitCounted::processors && limits.*limit.value != kNoLimit;
           });
}

bool bounds_amounts(const Site& site) {
    const auto& queues = site.queues;
    const auto& named = site.named_limits;
    return bounds_amounts(site.limits) ||
           std::any_of(queues.begin(), queues.end(),
                       [](const Queue& queue) { return bounds_amounts(queue.limits); }) ||
           std::any_of(named.begin(), named.end(),
                       [](const NamedLimits& some) { return bounds_amounts(some.limits); });
}

} // namespace

bool may_open(const Pool& pool, const Queue& queue) {
    return !pool.has_threshold || queue.priority > 0 || pool.threshold < 0;
}

namespace {

// Lists the pools in which jobs of the queue may run. Unless the queue is spanning, lists only
// pools that are large enough for the whole job.
void list_large_enough(const Site& site, const Queue& queue, ProcCount processors,
                       std::vector<PoolId>& pools) {
    pools.clear();
    for (const PoolId p : queue.pools)
        if (may_open(site.pools[p], queue) &&
            (queue.spanning || processors <= site.pools[p].processors))
            pools.push_back(p);
}

// Rejects jobs that fit neither between two maintenance windows nor inside a reservation of their
// owner. For other jobs, records the pools in which they do not fit.
void check_gaps(const Site& site, const ReplayJobs& jobs, Routing& routing) {
    const PoolGaps gaps(site, jobs.first_submit);
    if (!gaps.any()) return;
    std::vector<PoolId> pools, without;
    for (JobId job = 0; job < jobs.size(); ++job) {
        if (routing.rejects(job)) continue;
        const QueueId q = routing.queue_of[job];
        const Queue& queue = site.queues[q];
        list_large_enough(site, queue, jobs.processors[job], pools);
        without.clear();
        if (queue.spanning) {
            if (!gaps.fit(jobs, job, q, pools)) without = pools;
        } else {
            for (const PoolId p : pools)
                if (!gaps.fit(jobs, job, q, {&p, 1})) without.push_back(p);
        }
        if (without.size() == pools.size() &&
            (queue.spanning || !gaps.fits_inside(jobs, job, q, pools)))
            routing.reject_reason[job] = static_cast<std::uint8_t>(RejectReason::maintenance);
        else
            for (const PoolId p : without)
                routing.without_room.insert(std::uint64_t{job} << 16 | p);
    }
}

// Gives jobs without a requested time the default of their queue. If a job ran longer than the
// default, its run time is used instead.
void take_default_requests(const Site& site, const std::vector<QueueId>& queue_of,
                           ReplayJobs& jobs) {
    if (jobs.table->has_request.empty()) return;
    const std::span<Duration> requested_time = jobs.requested_time.change();
    for (JobId job = 0; job < jobs.size(); ++job) {
        if (queue_of[job] == kNoQueue || jobs.has_request(job)) continue;
        requested_time[job] =
            std::max(requested_time[job], site.queues[queue_of[job]].default_requested_time);
    }
}

} // namespace

Routing::Routing(const Site& site, ReplayJobs& jobs)
    : queue_of(jobs.size(), kNoQueue),
      reject_reason(jobs.size(), static_cast<std::uint8_t>(RejectReason::none)) {
    std::vector<std::int64_t> widest;
    for (const Queue& queue : site.queues)
        widest.push_back(widest_job(site, queue));
    const JobTable& table = *jobs.table;
    const MappedQueues by_queue(site.queues, &Queue::trace_queues, table.queue);
    const MappedQueues by_partition(site.queues, &Queue::trace_partitions, table.partition);
    const bool may_be_above = bounds_amounts(site);
    const auto reason_of = [&](JobId job, QueueId q) {
        const ProcCount processors = jobs.processors[job];
        if (q == kNoQueue) return RejectReason::no_queue;
        if (processors > widest[q]) return RejectReason::too_large;
        if (!may_be_above) return RejectReason::none;
        const auto knows = [&](LimitScope scope) { return jobs.owner(job, scope) >= 0; };
        const JobUse use = use_of(site, job, processors);
        const bool above =
            is_above(site.queues[q].limits, use, false, knows) ||
            is_above(site.limits, use, site.limits.lifted_when_idle && !site.queues[q].spanning,
                     knows);
        const bool above_named = std::any_of(
            site.named_limits.begin(), site.named_limits.end(), [&](const NamedLimits& named) {
                return is_of(named.owners, jobs, job) && is_above(named.limits, use, false, knows);
            });
        return above || above_named ? RejectReason::limit : RejectReason::none;
    };
    for (JobId job = 0; job < jobs.size(); ++job) {
        QueueId q = by_queue.queue_of(job);
        if (q == kNoQueue) q = by_partition.queue_of(job);
        if (q == kNoQueue)
            q = first_that_contains(site.queues, jobs.processors[job], table.requested_time[job],
                                    use_of(site, job, 0).nodes);
        queue_of[job] = q;
        reject_reason[job] = static_cast<std::uint8_t>(reason_of(job, q));
    }
    take_default_requests(site, queue_of, jobs);
    if (site.has_nodes()) {
        shapes = shapes_of(site, queue_of, table.user);
        for (JobId job = 0; job < jobs.size(); ++job)
            if (queue_of[job] != kNoQueue && !shapes->can_hold(job))
                reject_reason[job] = static_cast<std::uint8_t>(RejectReason::too_large);
        reject_without_gap(site, jobs, *this);
        return;
    }
    if (site.has_torus() && is_contiguous(site.policy.allocation))
        reject_without_interval(site, jobs, *this);
    else
        check_gaps(site, jobs, *this);
}

std::string nobody_can_start(const Routing& routing) {
    static constexpr std::array kWhy{"too large for the nodes or pools of their queue",
                                     "not accepted by any queue", "beyond a limit on single jobs",
                                     "longer than the time between two maintenance windows"};
    const std::vector<std::uint8_t>& reasons = routing.reject_reason;
    std::string counts;
    for (std::size_t at = 0; at < kWhy.size(); ++at) {
        const auto n =
            std::count(reasons.begin(), reasons.end(), static_cast<std::uint8_t>(at + 1));
        if (n == 0) continue;
        counts += (counts.empty() ? "" : ", ") + std::to_string(n) + " " + kWhy[at];
    }
    return "none of the " + std::to_string(reasons.size()) + " jobs can ever start: " + counts +
           "; relax the limits that reject them, or set the machine's real size";
}

std::vector<double> queue_priorities(const Site& site, const Routing& routing) {
    std::vector<double> priorities;
    priorities.reserve(routing.queue_of.size());
    for (const QueueId queue : routing.queue_of)
        priorities.push_back(queue == kNoQueue ? 0.0 : site.queues[queue].priority);
    return priorities;
}

} // namespace slotwise
