// Sweeps of a cluster: each line in turn, what its pool can give to jobs in their order.
//
// Example, easy: pools A (4 processors, full until 100) and B (4, two free until 100). Queue "a"
// may use A, then B. Its head (3 processors) is tried in A: a reservation at 100; then in B:
// another at 100. A job on 2 processors for 50 s behind it does not fit in A, and starts in B, as
// it ends before 100.
#pragma once

#include "planner/pools/job_transitions.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/spanning_jobs.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

class PoolSweep {
  public:
    using Cluster = PoolsLayout::Cluster;

    struct Parts { // that this one works with
        PoolsContext& context;
        PoolEvents& events;
        PoolSet& pools;
        PoolLines& lines;
        JobTransitions& transitions;
        SpanningJobs& spanning;
    };

    explicit PoolSweep(const Parts& parts);

    // A copy goes on over other parts.
    void rebind(const Parts& parts);

    // Sweeps once, or until a further sweep would start nobody.
    void sweep(const Cluster& cluster);
    void sweep_until_settled(const Cluster& cluster);

    // Starts what limits of one user or group hold back, as `none` would, and who is the first of
    // a user by such a start.
    void sweep_without_limits(const Cluster& cluster);

    // Tries an arrival alone against what the last sweep left; false: the cluster is to be swept.
    bool settle_arrival(JobId job);

    // Tells whether time alone may change who comes first in a pool of the cluster.
    bool may_reorder(const Cluster& cluster) const;

    // Touches pools that are blocked by a job which is not in their way any more.
    void touch_lost_heads();

    // Deadlines of heads are set anew.
    void forget_deadlines();

  private:
    struct Asked { // of a pool, in the present sweep, or the last
        PoolsLayout::Backfill backfill;
        JobId blocked_by = kNoJob;       // the first job that did not fit
        std::size_t line = kBeforeLines; // as which it was tried

        bool blocked() const { return blocked_by != kNoJob; }
        bool is_closed() const { return blocked() && backfill.closes; }

        // True where a job that does not fit changes something: it blocks, or has a reservation.
        bool counts_misfits() const { return !blocked() || backfill.reservations > 0; }
    };
    struct Deadline { // of the head of a pool, under `relaxed`
        JobId job = kNoJob;
        Time at = kNever;
    };
    static constexpr std::size_t kBeforeLines = SIZE_MAX; // starving jobs precede every line
    struct Passed {
        double by_hand;
        double factor;
        JobId job;

        bool operator<(const Passed& other) const { // comes later
            if (by_hand != other.by_hand) return by_hand < other.by_hand;
            return factor != other.factor ? factor < other.factor : job > other.job;
        }
    };

    // True where the job that blocks the pool does so no longer.
    bool has_lost_head(PoolId pool) const {
        const JobId head = asked_[pool].blocked_by;
        return asked_[pool].blocked() && (!lines_->waits(head) || !context_->is_eligible(head));
    }
    bool has_lost_some_head(const Cluster& cluster) const;
    bool has_freed_others(const Cluster& cluster);
    void look_over(const Cluster& cluster);
    void join(PoolId pool);
    void pass_on(JobId started);
    bool is_yet_to_come(PoolId pool, JobId started) const;

    void try_starving(const Cluster& cluster);
    void try_line(const PoolsLayout::Line& asked, const PoolQueue& line);
    void try_in_order(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to);
    void try_by_score(PoolId pool, const PoolQueue& line, PoolQueue::Position from,
                      PoolQueue::Position to, const Order& order);
    void try_passed(PoolId pool, const std::vector<JobId>& passed);
    void list_passed(const Pool& pool, const BackfillBounds& bounds, JobId job);
    bool try_waiting(JobId job, PoolId pool);
    bool try_in(JobId job, PoolId pool);
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
    std::vector<Deadline> deadlines_;    // by pool
    std::vector<std::uint8_t> is_swept_; // by pool: it takes part in the present sweep
    std::vector<Asked> asked_;           // by pool
    std::vector<BackfillBounds> bounds_; // scratch, by pool
    std::size_t line_ = kBeforeLines;    // being tried
    bool is_sweeping_ = false;
    std::vector<std::pair<PoolId, QueueId>> reserved_; // in this sweep, where each queue has one
    std::vector<JobId> respected_; // in this sweep, where limits are: who holds others back
    std::vector<Passed> scratch_passed_;
};

} // namespace slotwise
