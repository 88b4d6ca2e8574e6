// What a site looks like to its planner; never changes in a replay.
#pragma once

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

    // What one pool is asked for as the first, second, … choice of some queues.
    struct Line {
        PoolId pool;
        bool drifts; // scores of its jobs do
    };
    using Backfill = PlanRule; // of one pool, as it begins a sweep
    // Pools that have nothing to do with those of other clusters: no queue, and no limit, reaches
    // from one into the other.
    struct Cluster {
        std::vector<PoolId> pools;
        std::vector<std::size_t> lines; // in the order of a sweep
        std::vector<QueueId> spanning;  // queues

        // A start may let others start that were tried before: it drops the job's reservation in
        // another pool, or makes a further job of its user one of the first.
        bool may_settle_late = false;

        // Several jobs may have a reservation in one pool, or limits count those that wait: then
        // all pools are swept together. Elsewhere only those in which something has happened.
        bool sweeps_whole = false;

        // What a pass looks at once only, as a spanning queue, may have more to start in the next.
        bool may_go_on = false;

        bool has_threshold = false; // some pool

        // Who waits stays where it is until something ends, whoever arrives behind.
        bool settles_arrivals = false;
    };

    std::size_t cluster_of_queue(QueueId queue) const {
        return cluster_of[site.queues[queue].pools[0]];
    }

    Site site; // completed
    QueueRanking orders;
    std::vector<Line> lines;                        // by choice, then pool
    std::vector<std::vector<std::size_t>> lines_of; // by queue: its places in `lines`
    std::vector<bool> forms_rows; // by queue: of jobs alike only the first is worth a try
    std::vector<Cluster> clusters;
    std::vector<std::size_t> cluster_of; // by pool
    std::vector<Backfill> backfills;     // by pool
    std::vector<bool> is_stepped;        // by pool: fences, or several reservations, may lie ahead
    std::vector<PoolId>
        promises_from; // by queue: its first pool of promises, kAnyPool: it has none
    std::vector<StartTimes> start_times; // by queue
    bool has_promises = false;           // starts are promised
    bool has_calendar;                   // processors come and go
    bool may_change;                     // another layout may follow in the replay
    bool counts_queued = false;          // some limit of waiting jobs is set
    bool has_spanning = false;           // some queue is

  private:
    void make_lines();
    void make_clusters();
    void make_promises(const ReplayContext& context);
    bool may_be_stepped(PoolId pool) const;
    bool may_form_rows(QueueId queue, const Policy& policy) const;
};

} // namespace slotwise
