// Moves of a job between the queue and the pools, each made in all parts that keep it.
#pragma once

#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/promise_book.hpp"
#include "types.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace slotwise {

class JobTransitions {
  public:
    JobTransitions(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines,
                   PromiseBook& promises)
        : context_(&context), events_(&events), pools_(&pools), lines_(&lines),
          promises_(&promises) {}

    // The job waits from now on, with its own submit.
    void enqueue(JobId job);

    // A waiting job starts in the pool, past another that waits or not, planned for `length`.
    void start(JobId job, PoolId pool, bool past_another, Time length);

    // … in the pools of the shares; returns its planned end.
    Time start_spanning(JobId job, std::vector<PoolShare> shares);

    // Starts the job if it ends inside the reservation and finds its processors free there, and
    // indeed free; returns whether it has started. … of all reservations that are open, each in
    // the order of its pool.
    bool start_inside(JobId job, std::uint32_t reservation);
    void start_in_reservations();

    // The job that stands in the lines in place of the last that started, or kNoJob.
    JobId successor() const { return successor_; }

    // Running jobs have ended; one is over for good at `end`, which others may have waited for.
    void finish(std::span<const JobId> ended);
    void note_over(JobId job, Time end);

    // A waiting job leaves the queue.
    void leave(JobId job);

    // `change` changes the order of a waiting job.
    void reorder(JobId job, const std::function<void()>& change);

    // Takes the jobs that left out of the lines.
    void tidy();

  private:
    void note_started(JobId job, bool past_another);
    void start_in_reservation(std::uint32_t index);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    PromiseBook* promises_;
    JobId successor_ = kNoJob;
};

} // namespace slotwise
