// Moves jobs between the queue and the pools. Each move updates every component that tracks the
// job.
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
#include <vector>

namespace slotwise {

class JobTransitions {
  public:
    JobTransitions(PoolsContext& context, PoolEvents& events, PoolSet& pools, PoolLines& lines,
                   PromiseBook& promises)
        : context_(&context), events_(&events), pools_(&pools), lines_(&lines),
          promises_(&promises) {}

    // Copies the state of `other`, but refers to other components.
    JobTransitions(const JobTransitions& other, PoolsContext& context, PoolEvents& events,
                   PoolSet& pools, PoolLines& lines, PromiseBook& promises)
        : JobTransitions(context, events, pools, lines, promises) {
        outside_ = other.outside_;
        turned_away_ = other.turned_away_;
        uncounted_ = other.uncounted_;
    }

    // Handles the jobs submitted since the last call. Each one begins to wait. If a limit on
    // submitted jobs was reached at its submit time, the job stays outside the queue or is
    // rejected. Jobs that are already outside may enter the queue before it.
    void arrive(std::span<const JobId> arrived);
    const std::vector<JobId>& turned_away() const { return turned_away_; }

    // If the job is waiting outside the queue, forgets it and returns true. Otherwise, returns
    // false.
    bool forget_outside(JobId job) { return std::erase(outside_, job) > 0; }

    // Adds the job to the queue.
    void enqueue(JobId job);

    // Starts a waiting job in the pool, and plans it for `length`. `past_another` must be true if
    // another waiting job precedes it.
    void start(JobId job, PoolId pool, bool past_another, Time length);

    // Starts a job that has arrived but is not in the queue. Requires that Eligibility::all() is
    // true.
    void start_unqueued(JobId job, PoolId pool, Time length);

    // Starts a waiting job on these shares of several pools, and returns its planned end.
    Time start_spanning(JobId job, std::vector<PoolShare> shares);

    // Starts the job inside the reservation if the job is eligible and fits there, and if its
    // requested time ends no later than the reservation. Returns true if the job has started.
    bool start_inside(JobId job, std::uint32_t reservation);
    // Starts waiting jobs inside each open reservation, in the queue order of its pool.
    void start_in_reservations();

    // Returns the job that took the place of the most recently started job in the pool lines, or
    // kNoJob.
    JobId successor() const { return successor_; }

    // Removes running jobs that have ended.
    void finish(std::span<const JobId> ended);
    // Records that a submitted job will not run again after `end`. Jobs that depend on it may then
    // start. From the next call to arrive() onwards, the job no longer counts towards limits on
    // submitted jobs.
    void note_over(JobId job, Time end, JobEnding ending);
    void note_calendar_change() { promises_->note_change(); }
    // Updates only the jobs that depend on this job, which has ended; they may then start.
    void open_followers(JobId job, Time end, JobEnding ending);

    // Removes a waiting job from the queue.
    void leave(JobId job);

    // Reorders a waiting job. The function `change` changes the rank of the job.
    void reorder(JobId job, const std::function<void()>& change);

    // Removes jobs that are no longer waiting from the pool lines.
    void tidy();

  private:
    struct Over {
        JobId job;
        Time end;
    };

    void note_started(JobId job, bool past_another);
    void start_in_reservation(std::uint32_t index);
    bool start_inside_by_job(JobId job, std::uint32_t index);
    void count_ends_until(Time time);
    void admit_outside();

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    PoolLines* lines_;
    PromiseBook* promises_;
    JobId successor_ = kNoJob;
    std::vector<JobId> outside_;     // jobs over a limit on submitted jobs, in order of arrival
    std::vector<JobId> turned_away_; // jobs rejected by a limit on submitted jobs
    std::vector<Over> uncounted_;    // jobs that have ended since the last call to arrive()
    std::size_t n_counted_ = 0;      // jobs in uncounted_ that arrive() has counted so far
};

} // namespace slotwise
