// The waiting jobs in the lines of their pools, and the changes that occur merely because time
// passes.
//
// Example: queue "a" may use pool A, then pool B. A job on 4 processors waits in A's line of first
// choices and in B's line of second choices. An identical job waits behind it, and enters the lines
// only once the first job has started.
#pragma once

#include "planner/pools/pool_events.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/timers.hpp"
#include "queue/by_demand/demand_queue.hpp"
#include "queue/identical_jobs.hpp"
#include "queue/pool_queue.hpp"
#include "queue/score_heap.hpp"
#include "types.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

class PoolLines {
  public:
    // The waiting jobs of one line of the layout. Of several identical jobs, only the first is in
    // the line.
    struct PoolLine {
        PoolQueue waiting; // if the pool has no threshold: all jobs in the line
        // If the pool has a threshold, the jobs above it, in trace order.
        std::vector<JobId> passed;
        bool is_stale = false; // true if some jobs in the line are no longer waiting
    };

    PoolLines(PoolsContext& context, PoolEvents& events);

    // Makes a copied object use the context and the events of its new planner.
    void rebind(PoolsContext& context, PoolEvents& events);

    bool waits(JobId job) const { return standing_[job] != Standing::elsewhere; }
    bool starves(JobId job) const { return standing_[job] == Standing::starving; }
    bool is_front(JobId job) const { return identical_.is_front(job); }
    std::size_t n_waiting() const { return n_waiting_; }
    // Returns the number of jobs in the trace.
    std::size_t n_jobs() const { return standing_.size(); }

    // `at` is the index of the line in the layout.
    const PoolLine& line(std::size_t at) const { return lines_[at]; }

    // Returns the jobs of all lines, grouped by shape and sorted within each group. Returns null if
    // their order or lengths may change, or if the machine has no nodes.
    DemandQueue* by_shape() { return by_shape_ ? &*by_shape_ : nullptr; }

    // Sets whether a list of all waiting jobs, in trace order, is kept.
    void list_all(bool lists) { lists_all_ = lists; }
    const std::vector<JobId>& listed() const { return listed_; }
    bool any_eligible() const;

    // Returns the starving jobs of a queue that does not span pools, oldest first. Of several
    // identical jobs, only the first is included.
    const PoolQueue& starving_in(QueueId queue) const { return starving_in_[queue]; }
    // Returns the starving jobs of all queues that may use the pool now, oldest first. Of several
    // identical jobs, only the first is included.
    const PoolQueue& starving_for(PoolId pool) const { return starving_for_[pool]; }
    // Returns the starving jobs of all queues that do not span pools. The list is kept only if the
    // site promises start times to jobs. It may include jobs that no longer wait.
    const std::vector<JobId>& starving() const { return starving_; }

    // The next three functions return counters of changes. The first counter grows whenever a job
    // of a spanning queue is added, is removed or begins to starve. The second grows whenever a
    // starving job of another queue is added or removed. The third counts the same changes for a
    // single queue.
    std::uint64_t n_spanning_changes() const { return n_spanning_changes_; }
    std::uint64_t n_starving_changes() const { return n_starving_changes_; }
    std::uint64_t n_starving_changes(QueueId queue) const { return n_starving_changes_in_[queue]; }

    // Returns the oldest eligible starving job of these spanning queues.
    JobId oldest_starving(std::span<const QueueId> spanning) const;
    // Returns the first eligible job of one spanning queue.
    JobId head_of(QueueId spanning);

    // Adds a job that begins to wait.
    void join(JobId job);

    // Removes a job that is no longer waiting. Returns the job that takes its place in the lines,
    // or kNoJob.
    JobId leave(JobId job);

    // Adds a waiting job to the lines.
    void enter(JobId job);
    // Temporarily takes a waiting job out of the lines. Returns the job that takes its place, or
    // kNoJob.
    JobId step_out(JobId job);

    // Sorts all waiting jobs again, according to the current layout.
    void order_anew();

    // Removes from the lines all jobs that are no longer waiting. Returns true if there were any.
    bool tidy();

    // Records that the job's dependency will be met at the time `opens`.
    void note_opened(JobId job, Time opens);

    // Fires the timers that are due. Returns true if any of them belonged to a waiting job.
    bool fire_timers();
    Time next_timer();

    // Computes the scores of the jobs within `bounds` at positions [from, to) of a line.
    ScoreHeap& score(const PoolQueue& line, PoolQueue::Position from, PoolQueue::Position to,
                     const BackfillBounds& bounds, const Order& order);
    ScoreHeap& scored() { return scored_; }
    std::vector<JobId> jobs_in_order(const PoolQueue& line);

  private:
    enum class Standing : std::uint8_t { elsewhere, waiting, starving };

    void make_by_shape();
    bool falls_in(JobId job);
    bool follows(JobId job, JobId last) const;
    void enter_lines(JobId job);
    void leave_lines(JobId job);
    void note_starving(QueueId queue) {
        ++n_starving_changes_;
        ++n_starving_changes_in_[queue];
    }
    void watch(JobId job, Time since);
    void fire(const Timers::Timer& timer);

    PoolsContext* context_;
    PoolEvents* events_;
    std::vector<PoolLine> lines_; // indexed as in the layout
    std::optional<DemandQueue> by_shape_;
    std::vector<PoolQueue> heads_;       // jobs of each spanning queue, indexed by queue
    std::vector<JobId> listed_;          // all waiting jobs in trace order; used only if lists_all_
    IdenticalJobs identical_;            // jobs of queues that do not span pools
    std::vector<PoolQueue> starving_in_; // indexed by queue
    std::vector<PoolQueue> starving_for_;  // indexed by pool
    std::vector<JobId> starving_;          // in trace order
    std::vector<JobId> starving_spanning_; // starving jobs of spanning queues, in trace order
    std::vector<Standing> standing_;       // indexed by job
    std::size_t n_waiting_ = 0;
    std::uint64_t n_spanning_changes_ = 0;
    std::uint64_t n_starving_changes_ = 0;
    std::vector<std::uint64_t> n_starving_changes_in_; // indexed by queue
    bool lists_all_ = false;
    std::vector<QueueId> stale_; // queues whose lines may contain jobs that are no longer waiting
    Timers timers_;
    std::vector<JobId> unwatched_; // jobs whose timers are set at the end of the pass
    ScoreHeap scored_;             // scratch memory
};

} // namespace slotwise
