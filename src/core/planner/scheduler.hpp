// The interface of planners: at each pass one decides which waiting jobs start. The named ones
// (`Policy::backfill`) are in the registry of site/backfill.hpp.
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

// Owns the queue, the free processors and its plan. The loop owns the clock, the events and the
// schedule: it appends to the schedule what `pass` puts into `starts`, before the next pass. Called
// with non-decreasing `now`. Jobs larger than the machine never arrive.
class Scheduler {
  public:
    virtual ~Scheduler() = default;

    virtual void pass(const Instant& instant, Starts& starts) = 0;

    // The next time at which a pass is due although nothing ends or arrives (a promise), or kNever.
    Time next_due() const { return due_; }

    // The next change of the calendar that may stop jobs, or kNever. At its instant, before
    // arrivals and pass, it is followed: what has ended is told, what is to stop comes back, and no
    // job starts.
    virtual Time next_change() const { return kNever; }
    virtual void follow(const Instant& instant, Starts& starts);

    // Whether a waiting job may become startable by the passing of time alone, before next_due().
    virtual bool drifts() const { return true; }

    virtual std::size_t queued() const = 0;

    // Of a scheduler that has run no pass: goes on in the middle of a replay. What another one
    // promised or fixed before is not kept.
    virtual void take_over(const Underway& underway);

    // Whether what it does hangs on more than who waits and who runs now, so that one that takes
    // over may do otherwise.
    virtual bool remembers() const { return true; }

    // Fills the columns of the schedule only a scheduler of queues and pools knows.
    virtual void describe(Schedule& schedule) const;

    // By pool, what no job has; empty where the machine is one.
    virtual std::vector<ProcCount> free_in_pools() const { return {}; }

    // The queue of the site a job is in, and the pool it runs in; kNoQueue, kAnyPool: none, or
    // several.
    virtual QueueId queue_number(JobId) const { return kNoQueue; }
    virtual PoolId pool_number(JobId) const { return kAnyPool; }

    // Between passes, of a waiting job: it is not eligible until released, or leaves the queue for
    // good. They throw std::invalid_argument where the scheduler cannot.
    virtual void hold(JobId job);
    virtual void release(JobId job);
    virtual void cancel(JobId job);

    // Between passes: `change` changes by what a waiting job is ordered (its priority by hand), and
    // the policy of its context is another, but for what Simulator::change_policy() keeps. From
    // there on `dispatcher` is asked, where there is one; `running` is as they started. They throw
    // std::invalid_argument where the scheduler cannot.
    virtual void reorder(JobId job, const std::function<void()>& change);
    virtual void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                               std::span<const JobId> running);

    // Whether it keeps held jobs in mind. Otherwise holding is cancelling, and a job that is
    // released arrives anew.
    virtual bool knows_held() const { return false; }

    // Whether it says in `starts` which nodes its jobs get, on a machine of nodes.
    virtual bool places_jobs() const { return false; }

    // What is free where it places jobs or a layer over it does; else null.
    virtual const Slots* slots() const { return nullptr; }

    // Whether the pass that has just thrown can be run again as it was, but that it has taken in
    // what ended and arrived.
    virtual bool can_repeat_pass() const { return false; }

    // Whether a further pass of this instant is due, whenever passes run.
    virtual bool asks_again() const { return false; }

    // What somebody outside has answered, where that is kept; and, before the first pass, what is
    // followed as far as it goes instead of asking.
    virtual const DispatchLog* dispatch_log() const { return nullptr; }
    virtual void follow_log(DispatchLog past);

    // A copy that goes on by itself over `context`, which holds the same jobs and schedule.
    virtual std::unique_ptr<Scheduler> clone(const ReplayContext& context) const = 0;

  protected:
    Time due_ = kNever;
};

using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const ReplayContext&)>;

} // namespace slotwise
