// What decides, at each pass, which waiting jobs start; and the registry of the named ones
// (`Policy::backfill`).
#pragma once

#include "engine/replay_jobs.hpp"
#include "engine/schedule.hpp"
#include "engine/site.hpp"
#include "registry.hpp"
#include "types.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// One scheduling pass: what has happened since the pass before.
struct Instant {
    Time now;
    std::span<const JobId> ended;   // in the order they started
    std::span<const JobId> arrived; // in trace order
};

// What a pass starts, in the order decided.
struct Starts {
    struct Start {
        JobId job;
        bool past_a_waiting_job;
    };
    std::vector<Start> jobs;

    void add(JobId job, bool past_a_waiting_job) { jobs.push_back({job, past_a_waiting_job}); }
};

// A replay in its middle, as it is handed to a scheduler made there: everything up to `now` has been
// handled. `waiting` is in trace order, `running` as they started, `ended` as they ended.
struct Underway {
    Time now;
    std::span<const JobId> waiting;
    std::span<const JobId> running;
    std::span<const JobId> ended;
};

struct ReplayContext {
    const ReplayJobs& jobs;
    const Site& site;
    const Policy& policy;     // of the site
    ProcCount processors;     // of the machine
    const Schedule& schedule; // start and backfilled as the replay goes, the rest at its end
};

// Owns the queue, the free processors and its plan. The loop owns the clock, the events and the
// schedule: it appends to the schedule what `pass` puts into `starts`, before the next pass. Called
// with non-decreasing `now`. Jobs larger than the machine never arrive.
class Scheduler {
  public:
    virtual ~Scheduler() = default;

    virtual void pass(const Instant& instant, Starts& starts) = 0;

    // The next time at which a pass is due although nothing ends or arrives (a promise), or kNever.
    Time next_due() const { return due_; }

    // Whether a waiting job may become startable by the passing of time alone, before next_due().
    virtual bool drifts() const { return true; }

    virtual std::size_t queued() const = 0;

    // Of a scheduler that has run no pass: goes on in the middle of a replay. What another one
    // promised or fixed before is not kept.
    virtual void take_over(const Underway& underway);

    // Whether what it does hangs on more than who waits and who runs now, so that one that takes
    // over may do otherwise.
    virtual bool remembers() const { return true; }

    // A waiting job leaves the queue without starting.
    virtual void cancel(JobId job);

    // A copy that goes on by itself over `context`, which holds the same jobs and schedule.
    virtual std::unique_ptr<Scheduler> clone(const ReplayContext& context) const = 0;

  protected:
    Time due_ = kNever;
};

using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const ReplayContext&)>;
using SchedulerFactory = std::unique_ptr<Scheduler> (*)(const ReplayContext&);
using SchedulerEntry = RegistryEntry<SchedulerFactory>;

Registry<SchedulerFactory>& scheduler_registry();

} // namespace slotwise
