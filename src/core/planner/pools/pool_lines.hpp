// Waiting jobs in the lines of their pools, and the changes that time alone causes.
//
// Example: queue "a" may use pool A, then B. A job on 4 processors waits in A's line of first
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
    // Waiting jobs of one line of the layout. Of identical jobs, only the first is included.
    struct Line {
        PoolQueue waiting;         // used if the pool has no threshold
        std::vector<JobId> passed; // used otherwise: jobs that exceeded the threshold, ascending
        bool is_stale = false;     // some of these jobs no longer wait
    };

    PoolLines(PoolsContext& context, PoolEvents& events);

    // Makes a copy use another context and its events.
    void rebind(PoolsContext& context, PoolEvents& events);

    bool waits(JobId job) const { return standing_[job] != Standing::elsewhere; }
    bool starves(JobId job) const { return standing_[job] == Standing::starving; }
    bool is_front(JobId job) const { return identical_.is_front(job); }
    std::size_t n_waiting() const { return n_waiting_; }
    std::size_t n_jobs() const { return standing_.size(); } // number of jobs in the trace

    const Line& line(std::size_t at) const { return lines_[at]; } // index as in the layout

    // On nodes, the jobs of all lines by shape, in the order of their keys. Null if keys or lengths
    // may change.
    DemandQueue* by_shape() { return by_shape_ ? &*by_shape_ : nullptr; }

    // Turns on the list of all waiting jobs, ascending.
    void list_all(bool lists) { lists_all_ = lists; }
    const std::vector<JobId>& listed() const { return listed_; }
    bool any_eligible() const;

    // Starving jobs of a queue that does not span, oldest first. Of identical jobs, only the first
    // is included.
    const PoolQueue& starving_in(QueueId queue) const { return starving_in_[queue]; }
    // Starving jobs of all these queues together, if jobs are promised starts. May include jobs
    // that have left.
    const std::vector<JobId>& starving() const { return starving_; }

    // Counters. The first increases whenever a job of a spanning queue is added, removed or begins
    // to starve, the second whenever a starving job of another queue is added or removed. The third
    // does so for one of these queues.
    std::uint64_t n_spanning_changes() const { return n_spanning_changes_; }
    std::uint64_t n_starving_changes() const { return n_starving_changes_; }
    std::uint64_t n_starving_changes(QueueId queue) const { return n_starving_changes_in_[queue]; }

    // Oldest eligible starving job of these spanning queues.
    JobId oldest_starving(std::span<const QueueId> spanning) const;
    // First eligible job of one spanning queue.
    JobId head_of(QueueId spanning);

    // Adds a job that begins to wait.
    void join(JobId job);

    // Removes a job that no longer waits. Returns the job that takes its place in the lines, or
    // kNoJob.
    JobId leave(JobId job);

    // Adds a waiting job to the lines.
    void enter(JobId job);
    // Takes a waiting job out of the lines temporarily; returns the job that takes its place, or
    // kNoJob.
    JobId step_out(JobId job);

    // Sorts all waiting jobs again by the current layout.
    void order_anew();

    // Removes jobs that have left from the lines; returns true if there were any.
    bool tidy();

    // Records that the job is no longer delayed by its dependency from `opens` on.
    void note_opened(JobId job, Time opens);

    // Makes the changes that are due; returns true if there were any.
    bool fire_timers();
    Time next_timer();

    // Lists, by score, the jobs in [from, to) of a line that lie within `bounds`.
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
    void watch(JobId job);
    void fire(const Timers::Timer& timer);

    PoolsContext* context_;
    PoolEvents* events_;
    std::vector<Line> lines_; // indexed as in the layout
    std::optional<DemandQueue> by_shape_;
    std::vector<PoolQueue> heads_;         // by queue: jobs of spanning queues
    std::vector<JobId> listed_;            // all waiting jobs, ascending, if lists_all_
    IdenticalJobs identical_;              // jobs of queues that do not span
    std::vector<PoolQueue> starving_in_;   // indexed by queue
    std::vector<JobId> starving_;          // ascending
    std::vector<JobId> starving_spanning_; // jobs of spanning queues, ascending
    std::vector<Standing> standing_;       // indexed by job
    std::size_t n_waiting_ = 0;
    std::uint64_t n_spanning_changes_ = 0;
    std::uint64_t n_starving_changes_ = 0;
    std::vector<std::uint64_t> n_starving_changes_in_; // by queue
    bool lists_all_ = false;
    bool has_stale_ = false; // some lines hold jobs that no longer wait
    Timers timers_;
    ScoreHeap scored_; // scratch
};

} // namespace slotwise
