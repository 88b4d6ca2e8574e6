// Moves of a job between the queue and the pools. Each move updates every part that tracks the job.
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

    // Adds the job to the queue, with its own submit time.
    void enqueue(JobId job);

    // Starts a waiting job in the pool, planned for `length`. `past_another`: another job that
    // waits precedes it.
    void start(JobId job, PoolId pool, bool past_another, Time length);

    // Starts a waiting job on the shares, in several pools; returns its planned end.
    Time start_spanning(JobId job, std::vector<PoolShare> shares);

    // Starts the job inside the reservation if it ends there and its processors are unused both in
    // the reservation and in the pool; returns true if it has started.
    bool start_inside(JobId job, std::uint32_t reservation);
    // Starts jobs inside all open reservations, each in the order of its pool.
    void start_in_reservations();

    // Job that took the place in the lines of the job started last, or kNoJob.
    JobId successor() const { return successor_; }

    // Removes running jobs that have ended.
    void finish(std::span<const JobId> ended);
    // Records that the job is over permanently at `end`, for the jobs that depend on it.
    void note_over(JobId job, Time end);

    // Removes a waiting job from the queue.
    void leave(JobId job);

    // Reorders a waiting job; `change` changes its rank.
    void reorder(JobId job, const std::function<void()>& change);

    // Removes jobs that have left from the lines.
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
