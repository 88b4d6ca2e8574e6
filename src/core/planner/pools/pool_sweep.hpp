// Sweeps of a cluster. A sweep tries the jobs of each line in order, one line after another.
//
// Example with the `easy` backfill rule: there are pools A (4 processors, full until 100) and B (4
// processors, two of them free until 100). Queue "a" may use A, then B. Its head, a job on 3
// processors, is tried in A and then in B, and gets a reservation at 100 in each. A job on 2
// processors for 50 s behind it does not fit in A. It starts in B, because it ends before 100.
#pragma once

#include "planner/pools/job_transitions.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/spanning_jobs.hpp"
#include "queue/by_demand/demand_queue.hpp"
#include "queue/pool_queue.hpp"
#include "queue/queue_ranking.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class PoolSweep {
  public:
    using Cluster = PoolsLayout::Cluster;

    struct Parts {
        PoolsContext& context;
        PoolEvents& events;
        PoolSet& pools;
        PoolLines& lines;
        JobTransitions& transitions;
        SpanningJobs& spanning;
    };

    explicit PoolSweep(const Parts& parts);

    // Makes a copied object use the components of its new planner.
    void rebind(const Parts& parts);

    // sweep() sweeps once; sweep_until_settled() repeats this until another sweep would start no
    // job.
    void sweep(const Cluster& cluster);
    void sweep_until_settled(const Cluster& cluster);

    // Sweeps once without limits per user or group, and without backfilling (the `none` rule).
    // If only the first few waiting jobs of each user are considered, jobs that move up among them
    // during the sweep may start too.
    void sweep_without_limits(const Cluster& cluster);

    // Replaces a full pass if no waiting job can start and no reservation changes. If a single job
    // has arrived and can start at once, starts it without entering it into the lines. If a full
    // pass is needed, starts nothing and returns false. Scores and estimates must not change over
    // time, and there must be no dispatcher.
    bool pass_quickly(std::span<const JobId> arrived);

    // Tries the only job that has arrived, using the bounds and reservations left by the last
    // sweep. Returns false if the cluster must be swept.
    bool settle_arrival(JobId job);

    // Tries jobs that have arrived, if they rank behind all jobs with a reservation. Used only if
    // reservations remain in place between passes. Returns false if the cluster must be swept.
    bool settle_behind_kept(PoolId pool, std::span<const JobId> arrived);

    // Marks the pools with a threshold in which, merely because time has passed, another job has
    // become first and may start. They then count as changed. Returns true if any pool was marked.
    bool touch_overtaken(std::size_t at);

    // Marks pools as changed if their blocking job is no longer waiting or no longer eligible.
    void touch_lost_heads();

    // Forgets the deadlines of the heads, so that they are computed again.
    void forget_deadlines();

  private:
    struct Asked { // state of a pool in the current sweep or, outside a sweep, in the last one
        PoolsLayout::Backfill backfill;
        JobId blocked_by = kNoJob;       // the first job that did not fit
        JobId last_blocked = kNoJob;     // the last job that blocked the pool or got a reservation
        std::size_t line = kBeforeLines; // the line in which blocked_by was tried

        bool blocked() const { return blocked_by != kNoJob; }
        bool is_closed() const { return blocked() && backfill.closes; }

        // Returns true if one more job that does not fit would change the state, because it would
        // block the pool or get a reservation.
        bool counts_misfits() const { return !blocked() || backfill.reservations > 0; }
    };
    struct Deadline { // deadline of the head of a pool under the `relaxed` rule
        JobId job = kNoJob;
        Time at = kNever;
    };
    static constexpr std::size_t kBeforeLines = PoolEvents::kBeforeLines;
    struct Passed {
        double manual;
        double factor;
        JobId job;

        bool operator<(const Passed& other) const { // true if this job is tried later than `other`
            if (manual != other.manual) return manual < other.manual;
            return factor != other.factor ? factor < other.factor : job > other.job;
        }
    };

    // Returns true if the job that blocked the pool no longer blocks it.
    bool has_lost_head(PoolId pool) const {
        const JobId head = asked_[pool].blocked_by;
        return asked_[pool].blocked() && (!lines_->waits(head) || (!context_->eligibility.all() &&
                                                                   !context_->is_eligible(head)));
    }
    bool is_idle();
    bool is_overtaken(const Cluster& cluster, std::size_t line) const;
    bool has_freed_others(const Cluster& cluster);
    void look_over(const Cluster& cluster);
    bool find_due(const Cluster& cluster);
    void join(PoolId pool);
    void keep_bounds(PoolId pool);
    void pass_on(JobId started);
    bool is_yet_to_come(PoolId pool, JobId started) const;

    struct OfShape { // the next job to try among the jobs of one shape
        QueueRanking::Key key;
        DemandQueue::Slot slot;

        // Returns true if this job is tried later than `other`.
        bool operator<(const OfShape& other) const { return other.key < key; }
    };
    struct Cursor { // a position in the list of starving jobs of one pool
        PoolId pool;
        PoolQueue::Position from = 0; // no job before this position will be tried again
        JobId job = kNoJob;           // the next job that may fit, or kNoJob
        bool is_known = false;        // true if `job` is up to date
    };

    void try_starving();
    void try_in_its_pools(JobId job);
    Cursor* next_starving(JobId last);
    void find_next(Cursor& cursor, JobId last);
    void try_line(const PoolsLayout::PoolLineFacts& asked, const PoolQueue& line);
    void try_in_order(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to);
    void try_by_shape(PoolId pool, const QueueRanking::Key* after);
    void list_shapes(PoolId pool, const QueueRanking::Key* after);
    void try_by_score(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to, const Order& order);
    void try_passed(PoolId pool, const std::vector<JobId>& passed);
    void list_passed(const Pool& pool, const BackfillBounds& bounds, JobId job);
    bool try_waiting(JobId job, PoolId pool);
    bool try_start(JobId job, PoolId pool);
    bool may_start_on_found(JobId job) const;
    void reserve(JobId job, PoolId pool, Time length);
    bool may_reserve(JobId job, PoolId pool);
    bool is_spent(PoolId pool) const;
    BackfillBounds bounds_to_try(PoolId pool) const;
    bool holds(const BackfillBounds& bounds, JobId job) const {
        const ProcCount processors = context_->jobs.processors[job];
        return processors <= bounds.free &&
               (processors <= bounds.extra ||
                context_->estimates.waiting(job) <= bounds.until_shadow);
    }

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    JobTransitions* transitions_;
    SpanningJobs* spanning_;
    std::vector<Deadline> deadlines_;    // indexed by pool
    std::vector<std::uint8_t> is_swept_; // for each pool, 1 if it took part in the last sweep
    std::vector<PoolId> joined_;         // the pools in the last sweep
    std::vector<Asked> asked_;           // indexed by pool
    std::vector<BackfillBounds> bounds_; // scratch memory, indexed by pool
    std::size_t line_ = kBeforeLines;    // the line that is being tried
    bool is_sweeping_ = false;
    std::uint64_t n_left_ = 0; // PoolEvents::n_left() when blocking jobs were last checked
    // Queues that have used their reservation in a pool in this sweep; filled only if each queue
    // has its own.
    std::vector<std::pair<PoolId, QueueId>> reserved_;
    // Jobs that block others in this sweep; used only if there are limits.
    std::vector<JobId> respected_;
    std::vector<Passed> scratch_passed_;
    std::vector<OfShape> of_shapes_; // a heap that contains the next job to try of each shape
    std::vector<Cursor> cursors_;    // scratch memory with one element per pool in joined_
};

} // namespace slotwise
