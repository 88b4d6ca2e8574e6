// Waiting jobs in the lines that pools are asked for, and what time alone changes for them.
//
// Example: queue "a" may use pool A, then B. A job of 4 processors waits in the line of A's first
// choices and in that of B's second ones. Another of the same size and length falls in behind it,
// and is in no line until the first has started.
#pragma once

#include "planner/pools/pool_events.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/timers.hpp"
#include "queue/identical_jobs.hpp"
#include "queue/pool_queue.hpp"
#include "queue/score_heap.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class PoolLines {
  public:
    // Jobs of one line of the layout; of identical ones the first.
    struct Line {
        PoolQueue waiting;         // where the pool has no threshold
        std::vector<JobId> passed; // where it has one: waiting jobs that were above it, ascending
        bool is_stale = false;     // some of them wait no longer
    };

    PoolLines(PoolsContext& context, PoolEvents& events);

    // A copy goes on over another context and its events.
    void rebind(PoolsContext& context, PoolEvents& events);

    bool waits(JobId job) const { return standing_[job] != Standing::elsewhere; }
    bool starves(JobId job) const { return standing_[job] == Standing::starving; }
    bool is_front(JobId job) const { return identical_.is_front(job); }
    std::size_t n_waiting() const { return n_waiting_; }
    std::size_t n_jobs() const { return standing_.size(); } // of the trace

    const Line& line(std::size_t at) const { return lines_[at]; } // of the layout

    // All who wait, ascending, where they are listed.
    void list_all(bool lists) { lists_all_ = lists; }
    const std::vector<JobId>& listed() const { return listed_; }
    bool any_eligible() const;

    // Jobs that starve, ascending: of queues whose jobs run in one pool the first of identical
    // ones, with their number by queue. May hold some that have left.
    const std::vector<JobId>& starving() const { return starving_; }
    const std::vector<std::uint32_t>& n_starving() const { return n_starving_; }

    // The oldest eligible starving job of these spanning queues, and the first eligible job of one.
    JobId oldest_starving(std::span<const QueueId> spanning) const;
    JobId head_of(QueueId spanning);

    // The job begins to wait.
    void join(JobId job);

    // It waits no longer. Returns the job that stands in the lines in its place, or kNoJob.
    JobId leave(JobId job);

    // A waiting job takes its places in the lines, or gives them up for a while.
    void enter(JobId job);
    JobId step_out(JobId job);

    // All who wait are ordered by the present layout.
    void order_anew();

    // Takes the jobs that left out of the lines; returns whether some had.
    bool tidy();

    // What the job depends on is over from `opens` on.
    void note_opened(JobId job, Time opens);

    // Makes the changes that are due; returns whether there were some.
    bool fire_timers();
    Time next_timer();

    // Lists, by score, the jobs in [from, to) of a line that `bounds` hold.
    ScoreHeap& score(const PoolQueue& line, PoolQueue::Position from, PoolQueue::Position to,
                     const BackfillBounds& bounds, const Order& order);
    ScoreHeap& scored() { return scored_; }
    std::vector<JobId> jobs_in_order(const PoolQueue& line);

  private:
    enum class Standing : std::uint8_t { elsewhere, waiting, starving }; // of a job

    bool falls_in(JobId job);
    bool follows(JobId job, JobId last) const;
    void lead(JobId job);
    void lead_no_longer(JobId job);
    void watch(JobId job);
    void fire(const Timers::Timer& timer);

    PoolsContext* context_;
    PoolEvents* events_;
    std::vector<Line> lines_;               // of the layout
    std::vector<PoolQueue> heads_;          // by queue: the jobs of spanning ones
    std::vector<JobId> listed_;             // all, ascending; where lists_all_
    IdenticalJobs identical_;               // of queues whose jobs run in one pool
    std::vector<JobId> starving_;           // ascending; of such queues, the first of identical
    std::vector<std::uint32_t> n_starving_; // of these, by queue
    std::vector<JobId> starving_spanning_;  // ascending; of the others
    std::vector<Standing> standing_;        // by job
    std::size_t n_waiting_ = 0;
    bool lists_all_ = false;
    bool has_stale_ = false; // some of these wait no longer
    Timers timers_;
    ScoreHeap scored_; // scratch
};

} // namespace slotwise
