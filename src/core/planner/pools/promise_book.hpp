// The promises of conservative backfilling to the waiting jobs of a site: how they are made, moved
// and withdrawn.
//
// Example with pools A and B of 4 processors each: all of A is busy until 100, and 2 processors of
// B are busy until 50. A job on 3 processors that may run in both pools is promised a start at 50
// in B. When the job in A ends early, at 20, processors become free there, and the promise moves to
// A.
#pragma once

#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_promises.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

class PromiseBook {
  public:
    using Cluster = PoolsLayout::Cluster;

    PromiseBook(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines);

    // Makes a copied object use the context and the components of its new planner.
    void rebind(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines);

    // Adds a job that begins to wait. It has no promise yet.
    void enter(JobId job);
    // Removes a job that is no longer waiting, or that is about to be reordered.
    void leave(JobId job);

    // Frees the memory of jobs that have left.
    void tidy();

    // Drops all promises. update() then makes new ones.
    void promise_anew();

    // Drops all promises, and sorts the jobs according to the current layout.
    void order_anew();

    // Brings the promises of the cluster up to date. Promises of jobs that are no longer eligible
    // are withdrawn, broken promises are placed again, others move earlier, and jobs without a
    // promise get one.
    void update(const Cluster& cluster);

    // Adds the promises to the plans of their pools (sign 1), or removes them (sign −1).
    void plan_all(const Cluster& cluster, int sign);

    // Returns the jobs of the cluster that have a promise, in the order in which promises are made.
    const std::vector<JobId>& holders(const Cluster& cluster);
    const PoolPromise& of(JobId job) const { return promises_.of(job); }

    // Removes a promise from the plan, because its job starts in the promised place.
    void redeem(JobId job) { plan_promise(job, promises_.take(job), -1); }

    // On a machine with nodes or on a torus, removes a promise from the plan because its job
    // starts. Returns false, and keeps the promise, if the promised place is not free now. Also
    // returns false if the nodes of the place would exceed a limit: the promise is then withdrawn,
    // and the job gets no new promise until note_change().
    bool redeem_by_job(JobId job);

    // Returns the number of jobs that have no promise because their nodes would exceed a limit.
    std::size_t n_over_limit() const { return over_limit_.size(); }
    // Must be called when a job ends and when the calendar changes. A job may then find other
    // nodes, or its nodes may no longer exceed a limit.
    void note_change() { over_limit_.clear(); }

    // Returns true if the pool makes promises and is open to the job.
    bool takes_promises(PoolId pool, JobId job) const;

    // Marks a pool as changed if a promise in it is due.
    void touch_due();
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
    // For each pool, the jobs in whose queue it is the first pool that makes promises.
    std::vector<PoolQueue> first_in_;
    // Jobs in first_in_ without a promise; may include jobs that have left.
    std::vector<JobId> unpromised_;
    std::vector<JobId> over_limit_; // jobs in unpromised_ whose nodes would exceed a limit
    std::vector<JobId> in_order_;   // jobs that may be promised a start
    std::vector<JobId> scratch_jobs_;
};

} // namespace slotwise
