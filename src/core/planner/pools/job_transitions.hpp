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

    // Handles jobs submitted since the last call. Each one waits; if a limit on submitted jobs was
    // full at its submit time, it stays outside or is rejected. Jobs outside enter first.
    void arrive(std::span<const JobId> arrived);
    const std::vector<JobId>& turned_away() const { return turned_away_; }

    // Forgets a job if it is outside; returns true if it was.
    bool forget_outside(JobId job) { return std::erase(outside_, job) > 0; }

    // Adds the job to the queue, with its own submit time.
    void enqueue(JobId job);

    // Starts a waiting job in the pool, planned for `length`. `past_another`: another waiting job
    // precedes it.
    void start(JobId job, PoolId pool, bool past_another, Time length);

    // Starts a waiting job on the shares, in several pools; returns its planned end.
    Time start_spanning(JobId job, std::vector<PoolShare> shares);

    // Starts the job inside the reservation if it ends before the reservation does and its
    // processors are unused both in the reservation and in the pool. Returns true if it has
    // started.
    bool start_inside(JobId job, std::uint32_t reservation);
    // Starts jobs inside all open reservations, each in the order of its pool.
    void start_in_reservations();

    // The job that took the position of the job started last in the lines, or kNoJob.
    JobId successor() const { return successor_; }

    // Removes running jobs that have ended.
    void finish(std::span<const JobId> ended);
    // Records that the job, which has been submitted, is permanently over at `end`. This matters to
    // jobs that depend on it, and to limits on submitted jobs from the next arrive() on.
    void note_over(JobId job, Time end, JobEnding ending);
    // Records the same only for the jobs that depend on the job, which may then start.
    void open_followers(JobId job, Time end, JobEnding ending);

    // Removes a waiting job from the queue.
    void leave(JobId job);

    // Reorders a waiting job; `change` changes its rank.
    void reorder(JobId job, const std::function<void()>& change);

    // Removes jobs that have left from the lines.
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
    std::vector<JobId> outside_;     // above a limit on submitted jobs, in order of arrival
    std::vector<JobId> turned_away_; // rejected because of such a limit
    std::vector<Over> uncounted_;    // ended since the last arrive(), if there are limits
    std::size_t n_counted_ = 0;      // number of those that arrive() has counted
};

} // namespace slotwise
