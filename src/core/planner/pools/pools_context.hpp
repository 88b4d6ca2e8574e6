// Data shared by all components of the pools planner, and the current instant.
#pragma once

#include "admission/eligibility.hpp"
#include "admission/routing.hpp"
#include "admission/slowdown_threshold.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/pools/pools_layout.hpp"
#include "planner/scheduler.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace slotwise {

struct PoolsContext {
    PoolsContext(const ReplayContext& context, std::shared_ptr<const Routing> its_routing)
        : replay(context), jobs(context.jobs), policy(context.policy), schedule(context.schedule),
          routing(std::move(its_routing)), layout(std::make_shared<const PoolsLayout>(context)),
          first_layout(layout), estimates(replay), eligibility(layout->site, jobs, *routing) {
        if (layout->may_change) estimates.learn_ahead();
    }

    // Copies the data for use with `context`, which must contain the same jobs. The copy has no
    // current instant yet.
    PoolsContext(const PoolsContext& other, const ReplayContext& context)
        : replay(context), jobs(context.jobs), policy(context.policy), schedule(context.schedule),
          routing(other.routing), layout(own(other.layout)), first_layout(other.first_layout),
          estimates(other.estimates), eligibility(other.eligibility) {
        estimates.rebind(replay);
    }
    PoolsContext(const PoolsContext&) = delete;
    PoolsContext& operator=(const PoolsContext&) = delete;

    // Returns the layout itself or, if scores change over time, a copy of it. Computing these
    // scores uses scratch memory, which planners in different threads must not share.
    static std::shared_ptr<const PoolsLayout> own(const std::shared_ptr<const PoolsLayout>& other) {
        return other->orders.drifts() ? std::make_shared<const PoolsLayout>(*other) : other;
    }

    void change_layout() {
        layout = std::make_shared<const PoolsLayout>(replay);
        estimates.rebind(replay);
    }

    const Queue& queue_of(JobId job) const { return layout->site.queues[routing->queue_of[job]]; }
    const PoolsLayout::Cluster& cluster_of(JobId job) const {
        return cluster_of_queue(routing->queue_of[job]);
    }
    const PoolsLayout::Cluster& cluster_of_queue(QueueId queue) const {
        return layout->clusters[layout->cluster_of_queue(queue)];
    }
    bool has_pool(const PoolsLayout::Cluster& cluster, PoolId pool) const {
        return &layout->clusters[layout->cluster_of[pool]] == &cluster;
    }
    bool has_job(const PoolsLayout::Cluster& cluster, JobId job) const {
        return has_pool(cluster, queue_of(job).pools.front());
    }
    QueueRanking::Key key(JobId job) const {
        return layout->orders.key(jobs, job, routing->queue_of[job]);
    }

    bool is_eligible(JobId job) const {
        if (eligibility.all()) return true;
        const QueueId queue = routing->queue_of[job];
        const ProcCount processors = jobs.processors[job];
        return lifted ? eligibility.allows_when_lifted(job, queue, processors, now)
                      : eligibility.allows(job, queue, processors, now);
    }

    // Returns the entry of a waiting job in a line. The entry's length is 0 if the estimate may
    // change, as it does when a job restarts from a checkpoint.
    PoolQueue::Entry entry_of(JobId job) const {
        const bool may_change = estimates.waiting_drift() ||
                                layout->site.interruption.requeue == Requeue::from_checkpoint;
        return {key(job), job, jobs.processors[job], may_change ? 0 : estimates.waiting(job)};
    }

    // Returns the job's slowdown factor so far, as used by a pool with a threshold.
    double factor(JobId job) const {
        return factor_of(now - jobs.submit(job), jobs.requested_time[job], queue_of(job));
    }

    // Returns true if the pool's size, maintenance gaps and threshold allow the job to use it now.
    bool is_open(PoolId pool, JobId job) const {
        const Pool& its = layout->site.pools[pool];
        if (jobs.processors[job] > its.processors || !routing->fits_now(pool, job)) return false;
        return !its.has_threshold || factor(job) > its.threshold;
    }

    // Returns the length to plan for a job that starts now. It is at least one second if starts are
    // promised or reservations name nodes.
    Time length_at_start(JobId job) const {
        return std::max<Time>(estimates.running(job),
                              layout->has_promises || layout->reserves_nodes ? 1 : 0);
    }

    // Reports a job that can never start, and should have been rejected when it was submitted.
    [[noreturn]] void refuse_endless_search(JobId job) const;

    ReplayContext replay;
    const ReplayJobs& jobs;
    const Policy& policy;
    const ScheduleSoFar& schedule;
    std::shared_ptr<const Routing> routing;
    std::shared_ptr<const PoolsLayout> layout;
    // The first layout is kept, because the calendar refers to the site that it contains.
    std::shared_ptr<const PoolsLayout> first_layout;
    RunTimeEstimates estimates;
    Eligibility eligibility;

    // The current instant:
    Time now = 0;
    Starts* starts = nullptr;
    bool lifted = false; // true while the site's limits per user or group are suspended
};

} // namespace slotwise
