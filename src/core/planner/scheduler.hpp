// The interface of planners, which decide in each pass which waiting jobs start. The registry in
// site/backfill.hpp lists the planners that have a name (`Policy::backfill`).
#pragma once

#include "replay/context.hpp"
#include "site/backfill.hpp"
#include "types.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class Dispatcher;
class Slots;
struct DispatchLog;

// A scheduler owns the queue, the free processors and the plan. The event loop owns the clock, the
// events and the schedule. It appends the `starts` of each pass to the schedule before the next
// pass. `now` never decreases from one pass to the next. Jobs larger than the machine never arrive.
class Scheduler {
  public:
    virtual ~Scheduler() = default;

    virtual void pass(const Instant& instant, Starts& starts) = 0;

    // Returns the next time at which a pass is due even if no job ends or arrives, for example
    // because of a promise. Returns kNever if there is none.
    Time next_due() const { return due_; }

    // Returns the time of the next calendar change that may stop jobs, or kNever if there is none.
    virtual Time next_change() const { return kNever; }
    // Handles the job ends and calendar changes at an instant, before the arrivals and the pass.
    // Reports in `starts` which jobs must be stopped, but starts no jobs.
    virtual void follow(const Instant& instant, Starts& starts);

    // Returns true if a waiting job may become able to start before next_due() simply because time
    // passes.
    virtual bool drifts() const { return true; }

    virtual std::size_t queued() const = 0;

    // Takes over a replay that is already under way. Must be called before the first pass. Promises
    // and deadlines of the previous scheduler are dropped.
    virtual void take_over(const Underway& underway);

    // Returns true if the plan depends on history (promises, frozen deadlines), so that a new
    // scheduler could decide differently.
    virtual bool remembers() const { return true; }

    // Fills in those columns of the schedule that only a scheduler for queues and pools knows.
    virtual void describe(Schedule& schedule) const;

    // Returns the number of idle processors in each pool. The list is empty for a machine without
    // pools.
    virtual std::vector<ProcCount> free_in_pools() const { return {}; }

    // The following functions return the queue of the job, and the pool in which it runs. kNoQueue
    // means that the job has no queue. kAnyPool means that it runs in no pool, or in several.
    virtual QueueId queue_number(JobId) const { return kNoQueue; }
    virtual PoolId pool_number(JobId) const { return kAnyPool; }

    // Fills in the queue and pool columns by calling queue_number() and pool_number().
    void describe_queues(std::size_t n_jobs, Schedule& schedule) const;

    // May be called between passes. hold() makes a waiting job ineligible until release() is called
    // for it. cancel() removes a waiting job permanently. Each function throws
    // std::invalid_argument if the scheduler does not support it.
    virtual void hold(JobId job);
    virtual void release(JobId job);
    virtual void cancel(JobId job);

    // May be called between passes. Records that a job is cancelled at the given time, which
    // matters to jobs that depend on it. The last argument is true if the job is running, and false
    // if it is waiting or has not arrived yet.
    virtual void note_withdrawn(JobId, Time, bool) {}

    // May be called between passes. Reorders a waiting job; `change` sets its manual priority.
    // Throws std::invalid_argument if the scheduler cannot do so.
    virtual void reorder(JobId job, const std::function<void()>& change);
    // Returns true if reorder() works on a site without pools and queues. Otherwise a new scheduler
    // takes over on such a site.
    virtual bool reorders() const { return false; }
    // May be called between passes, on a site without pools and queues. Returns a scheduler that
    // continues from this state with `context`, which orders jobs by manual priority first.
    // `waiting` contains the jobs that are waiting in this scheduler. Returns null if a new
    // scheduler must take over.
    virtual std::unique_ptr<Scheduler> with_priorities(const ReplayContext& context,
                                                       std::span<const JobId> waiting) const;
    // May be called between passes. Adopts the new policy of the context, except for the parts that
    // Simulator::change_policy() keeps. `dispatcher` is called from now on, unless it is null.
    // `running` must list the running jobs in the order in which they started. Throws
    // std::invalid_argument if the scheduler cannot do so.
    virtual void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                               std::span<const JobId> running);

    // Returns true if held jobs stay in the scheduler. Otherwise, a job that is held is removed as
    // if cancelled, and arrives again when it is released.
    virtual bool knows_held() const { return false; }

    // Returns true if, on a machine with nodes, `starts` lists the nodes of each job.
    virtual bool places_jobs() const { return false; }

    // Returns the free slots if this scheduler, or a layer around it, places jobs; otherwise null.
    virtual const Slots* slots() const { return nullptr; }

    // Returns the number of processors that the calendar currently makes unavailable without
    // specifying which ones. Returns 0 if the calendar specifies them.
    virtual ProcCount absent() const { return 0; }

    // Returns true if a pass that has just thrown an exception can be repeated. The ends and
    // arrivals of that pass remain recorded.
    virtual bool can_repeat_pass() const { return false; }

    // Returns true if another pass is due at this instant, regardless of when passes normally run.
    virtual bool asks_again() const { return false; }

    // Returns the decisions that an external dispatcher has made, if they are recorded; otherwise
    // null.
    virtual const DispatchLog* dispatch_log() const { return nullptr; }
    // Must be called before the first pass. Sets the recorded decisions to repeat before the
    // dispatcher is asked for new ones.
    virtual void follow_log(DispatchLog past);

    // Returns an independent copy for use with `context`, which must contain the same jobs and the
    // same schedule.
    virtual std::unique_ptr<Scheduler> clone(const ReplayContext& context) const = 0;

  protected:
    Time due_ = kNever;
};

using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const ReplayContext&)>;

} // namespace slotwise
