// Promises of conservative backfilling to the waiting jobs of a site: made, moved and withdrawn.
//
// Example: pools A and B of 4; all of A is busy until 100 and 2 of B until 50. A job on 3 that may
// run in both is promised 50 in B. The job in A ends at 20, so processors become free there, and
// the promise moves to A. Other clusters of pools are not examined.
#pragma once

#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_promises.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class PromiseBook {
  public:
    using Cluster = PoolsLayout::Cluster;

    PromiseBook(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines);

    // Makes a copy use another context and its parts.
    void rebind(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines);

    // Adds a job that begins to wait, without a promise.
    void enter(JobId job);
    // Removes a job that no longer waits, or that is about to be reordered.
    void leave(JobId job);

    // Frees the memory of jobs that have left.
    void tidy();

    // Drops all promises; update() makes new ones.
    void promise_anew();

    // Drops all promises, and sorts the jobs by the current layout.
    void order_anew();

    // Withdraws, moves and makes promises until each job of the cluster has its earliest start.
    void update(const Cluster& cluster);

    // Adds the promises to the plans of their pools (sign 1), or removes them (−1).
    void plan_all(const Cluster& cluster, int sign);

    // Jobs of the cluster that hold a promise, in the order in which promises are made.
    const std::vector<JobId>& holders(const Cluster& cluster);
    const PoolPromise& of(JobId job) const { return promises_.of(job); }

    // Removes a promise from the plan, because its job starts in its place.
    void redeem(JobId job) { plan_promise(job, promises_.take(job), -1); }

    // Does the same on a machine that is planned job by job, provided the job's place is free now;
    // returns whether it was.
    bool redeem_by_job(JobId job);

    // True if the pool makes promises and is open to the job.
    bool takes_promises(PoolId pool, JobId job) const;

    // Touches the pools of promises that are due.
    void touch_due();
    // True if a promise in the cluster is due.
    bool has_due(const Cluster& cluster) const;
    Time first_after(Time now) const { return promises_.first_after(now); }

  private:
    void plan_promise(JobId job, const PoolPromise& promise, int sign);
    void withdraw(JobId job);
    bool is_allowed_on_found(JobId job) const;
    bool may_hold_promise(JobId job) const;
    bool may_be_promised(JobId job) const;
    void withdraw_ineligible(const Cluster& cluster);
    void promise(JobId job, Time length);
    template <class Wanted>
    const std::vector<JobId>& in_order(const Cluster& cluster, Wanted&& wanted);
    void replace_broken(const Cluster& cluster);
    NodeHold held_by(JobId job) const;
    bool has_broken(const Cluster& cluster) const;
    bool has_room(JobId job, const PoolPromise& promise);
    bool could_move(JobId job, const PoolPromise& promise);
    bool could_move_by_job(JobId job, const PoolPromise& promise);
    void compress(const Cluster& cluster);
    bool is_kept(JobId job, const PoolPromise& promise);
    void promise_others(const Cluster& cluster);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    PoolPromises promises_;
    std::vector<PoolQueue>
        first_in_; // by pool: jobs of the queues for which it is the first pool with promises
    std::vector<JobId>
        unpromised_; // jobs of first_in_ without a promise; may include jobs that have left
    std::vector<JobId> in_order_; // jobs that may be promised a start
    std::vector<JobId> scratch_jobs_;
};

} // namespace slotwise
