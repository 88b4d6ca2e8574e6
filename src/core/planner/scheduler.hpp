// The interface of planners, which decide at each pass which waiting jobs start. The registry in
// site/backfill.hpp lists the named planners (`Policy::backfill`).
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

// A scheduler owns the queue, the free processors and the plan. The loop owns the clock, the events
// and the schedule, to which it appends the `starts` of each pass before the next pass. Passes come
// with non-decreasing `now`. Jobs larger than the machine never arrive.
class Scheduler {
  public:
    virtual ~Scheduler() = default;

    virtual void pass(const Instant& instant, Starts& starts) = 0;

    // Next time at which a pass is due without an end or an arrival, such as a promise; or kNever.
    Time next_due() const { return due_; }

    // Next change of the calendar that may stop jobs, or kNever.
    virtual Time next_change() const { return kNever; }
    // Handles the ends and calendar changes of an instant, before its arrivals and pass. Reports
    // the jobs to stop in `starts`, and starts none.
    virtual void follow(const Instant& instant, Starts& starts);

    // True if a waiting job may become able to start before next_due() merely because time passes.
    virtual bool drifts() const { return true; }

    virtual std::size_t queued() const = 0;

    // Takes over in the middle of a replay, before any pass. Promises and deadlines of the previous
    // scheduler are dropped.
    virtual void take_over(const Underway& underway);

    // True if the plan depends on history (promises, frozen deadlines), so that a fresh scheduler
    // could decide differently.
    virtual bool remembers() const { return true; }

    // Fills the columns of the schedule that only a scheduler of queues and pools knows.
    virtual void describe(Schedule& schedule) const;

    // Idle processors in each pool; empty for a machine without pools.
    virtual std::vector<ProcCount> free_in_pools() const { return {}; }

    // Queue of the job, and the pool in which it runs. kNoQueue and kAnyPool: none, or several.
    virtual QueueId queue_number(JobId) const { return kNoQueue; }
    virtual PoolId pool_number(JobId) const { return kAnyPool; }

    // Fills the columns of queues and pools from queue_number() and pool_number().
    void describe_queues(std::size_t n_jobs, Schedule& schedule) const;

    // Between passes: makes a waiting job ineligible until released, or removes it permanently.
    // Throws std::invalid_argument if the scheduler cannot do so.
    virtual void hold(JobId job);
    virtual void release(JobId job);
    virtual void cancel(JobId job);

    // Between passes: records that a job is cancelled at `now`. The job runs (`has_run`), waits, or
    // has not arrived yet. This matters to jobs that depend on it.
    virtual void note_withdrawn(JobId, Time, bool) {}

    // Between passes: reorders a waiting job; `change` sets its manual priority. Throws
    // std::invalid_argument if the scheduler cannot do so.
    virtual void reorder(JobId job, const std::function<void()>& change);
    // True if reorder() works on a plain site. Otherwise a new scheduler takes over there.
    virtual bool reorders() const { return false; }
    // Between passes on a plain site: a scheduler that continues from this state over `context`,
    // where manual priorities come first. `waiting` are the jobs that this one sees. Null: a new
    // scheduler must take over.
    virtual std::unique_ptr<Scheduler> with_priorities(const ReplayContext& context,
                                                       std::span<const JobId> waiting) const;
    // Between passes: adopts the new policy of the context, except for the parts that
    // Simulator::change_policy() keeps. `dispatcher` is called from now on, unless it is null.
    // `running` is in order of start. Throws std::invalid_argument if the scheduler cannot do so.
    virtual void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                               std::span<const JobId> running);

    // True if held jobs stay in the scheduler. Otherwise a hold cancels the job, and a release
    // makes it arrive again.
    virtual bool knows_held() const { return false; }

    // True if `starts` names the nodes of each job, on a machine with nodes.
    virtual bool places_jobs() const { return false; }

    // Free slots, if this scheduler or a layer over it places jobs; otherwise null.
    virtual const Slots* slots() const { return nullptr; }

    // Number of processors that the calendar currently makes unavailable, wherever they are; 0 if
    // the calendar names them.
    virtual ProcCount absent() const { return 0; }

    // True if a pass that has just thrown can be repeated. Its ends and arrivals remain recorded.
    virtual bool can_repeat_pass() const { return false; }

    // True if another pass of this instant is due, however passes are timed.
    virtual bool asks_again() const { return false; }

    // Decisions returned by an outside dispatcher, if they are recorded; otherwise null.
    virtual const DispatchLog* dispatch_log() const { return nullptr; }
    // Before the first pass: sets recorded decisions, which are repeated before a dispatcher is
    // called.
    virtual void follow_log(DispatchLog past);

    // Independent copy over `context`, which holds the same jobs and schedule.
    virtual std::unique_ptr<Scheduler> clone(const ReplayContext& context) const = 0;

  protected:
    Time due_ = kNever;
};

using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const ReplayContext&)>;

} // namespace slotwise
