// The layout of a site for its planner: pools, lines and clusters. It never changes, but a change
// of policy during a replay replaces it.
#pragma once

#include "availability/pools/pool_plan.hpp"
#include "availability/start_times.hpp"
#include "planner/scheduler.hpp"
#include "queue/queue_ranking.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

struct PoolsLayout {
    explicit PoolsLayout(const ReplayContext& context);

    // A line of a pool: jobs that wait for the pool with the same rank (first choice, second
    // choice, …).
    struct PoolLineFacts {
        PoolId pool;
        bool drifts; // true if the scores of the jobs in the line change over time
    };
    using Backfill = PlanRule; // the backfill rule of a pool
    // A cluster: pools that share queues or limits only with each other.
    struct Cluster {
        std::vector<PoolId> pools;
        std::vector<std::size_t> lines;           // line indices, in the order of a sweep
        std::vector<std::size_t> threshold_lines; // lines of pools with a threshold
        std::vector<QueueId> spanning;            // spanning queues
        std::vector<QueueId> queues;              // all other queues

        // True if the start of one job may allow jobs that were tried earlier to start, because
        // the started job no longer needs its reservation in another pool. If a pass considers only
        // the first few jobs of each user, the user's next job may also move up.
        bool may_settle_late = false;

        // True if all pools are swept together, because several jobs may have a reservation in one
        // pool, or because limits count waiting jobs. In other clusters only the changed pools are
        // swept.
        bool sweeps_whole = false;

        // True if the next pass may start more jobs even if nothing else happens, because a pass
        // tries some jobs only once, for example those of spanning queues.
        bool may_go_on = false;

        bool has_threshold = false; // at least one pool has a threshold

        // True if the waiting jobs remain blocked until a job ends, even if jobs arrive behind
        // them.
        bool settles_arrivals = false;

        // True if the bounds that a sweep records for a pool remain valid until the pool is due.
        bool keeps_bounds = false;
    };

    std::size_t cluster_of_queue(QueueId queue) const {
        return cluster_of[site.queues[queue].pools[0]];
    }

    Site site; // already completed
    QueueRanking orders;
    std::vector<PoolLineFacts> lines;                    // sorted by choice, then by pool
    std::vector<std::vector<std::size_t>> lines_of;      // for each queue, indices in `lines`
    std::vector<std::vector<std::size_t>> lines_of_pool; // for each pool, indices in `lines`
    // For each queue, true if only the first of several identical jobs is tried.
    std::vector<bool> groups_identical;
    std::vector<Cluster> clusters;
    std::vector<std::size_t> cluster_of; // indexed by pool
    std::vector<Backfill> backfills;     // indexed by pool
    std::vector<PlanForm> forms;         // for each pool, the form of its plan
    // For each queue, its first pool with promises, or kAnyPool if there is none.
    std::vector<PoolId> promises_from;
    std::vector<StartTimes> start_times; // indexed by queue
    bool has_promises = false;           // waiting jobs are promised start times
    bool has_calendar;                   // some processors are unavailable at some times
    bool may_change;                     // the layout may be replaced during the replay
    bool limits_arrays = false;          // at least one job array has a limit
    bool counts_queued = false;          // at least one limit counts waiting jobs
    bool has_intervals = false;  // the machine is a torus on which each job takes consecutive nodes
    bool reserves_nodes = false; // reservations name nodes, so every planned length is at least 1 s
    bool has_spanning = false;   // at least one queue spans several pools
    // True if a waiting job can start only after a job ends or arrives, a timer is due, or the
    // reservations of spanning queues change.
    bool may_pass_quickly = false;

    // True if a reservation remains until a job ends, or until a job with precedence over it
    // arrives. This requires that reservations name nodes, and that nothing but the ends and
    // arrivals of jobs affects which jobs may start.
    bool keeps_reservations = false;

  private:
    void make_lines();
    void make_clusters();
    void make_promises(const ReplayContext& context);
    PlanForm form_of(PoolId pool) const;
    bool must_be_stepped(PoolId pool) const;
    bool may_keep_bounds(const Cluster& cluster) const;
    bool may_keep_reservations() const;
    bool may_group_identical(QueueId queue, const Policy& policy) const;
};

} // namespace slotwise
