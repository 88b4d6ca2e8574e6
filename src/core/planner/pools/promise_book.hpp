// Promises of conservative backfilling: what each waiting job is promised, and what becomes of it.
//
// Example, pools A and B of 4, all of A busy until 100 and 2 of B until 50: a job of 3 that may run
// in both is promised 50 in B. The job in A ends at 20: processors come free there, and the promise
// moves to them. Of another cluster of pools nothing is looked at.
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

    // A copy goes on over another context and its parts.
    void rebind(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines);

    // A job begins to wait, and is without a promise; or waits no longer, or is to be ordered anew.
    void enter(JobId job);
    void leave(JobId job);

    // Frees the memory of those that left.
    void tidy();

    // All who wait are promised a place anew.
    void promise_anew();

    // … and in the order of the present layout.
    void order_anew();

    // Gives up, moves and makes promises until each job of the cluster has its earliest place.
    void update(const Cluster& cluster);

    // Puts the promises into the plans of their pools (sign 1), or takes them out (−1).
    void lay_all(const Cluster& cluster, int sign);

    // Jobs of the cluster that hold a promise, in the order in which places are given.
    const std::vector<JobId>& holders(const Cluster& cluster);
    const PoolPromise& of(JobId job) const { return promises_.of(job); }

    // Takes a promise out, as its job starts in its place.
    void redeem(JobId job) { lay(job, promises_.take(job), -1); }

    // Tells whether the job may be promised processors of the pool, as far as that is open to it.
    bool takes_promises(PoolId pool, JobId job) const;

    // Promises whose time has come: touches their pools; tells whether the cluster has some.
    void touch_due();
    bool has_due(const Cluster& cluster) const;
    Time first_after(Time now) const { return promises_.first_after(now); }

  private:
    void lay(JobId job, const PoolPromise& promise, int sign);
    void withdraw(JobId job);
    bool may_hold_promise(JobId job) const;
    bool may_be_promised(JobId job) const;
    void give_up_barred(const Cluster& cluster);
    void promise(JobId job, Time length);
    template <class Wanted>
    const std::vector<JobId>& in_order(const Cluster& cluster, Wanted&& wanted);
    void replace_broken(const Cluster& cluster);
    bool has_broken(const Cluster& cluster) const;
    bool may_gain(JobId job, const PoolPromise& promise) const;
    void compress(const Cluster& cluster);
    void promise_others(const Cluster& cluster);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    PoolPromises promises_;
    std::vector<PoolQueue> first_in_; // by pool: jobs of the queues that are promised it first
    std::vector<JobId> unpromised_;   // of these the ones without; may hold some that left
    std::vector<JobId> in_order_;     // of jobs that may be promised something
    std::vector<JobId> scratch_jobs_;
};

} // namespace slotwise
