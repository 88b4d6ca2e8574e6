// Conservative backfilling on nodes with several resources, whose promises name nodes.
//
// Each job is promised a time and places on arrival. When a job ends before its estimate, every
// promise, in order, is removed and placed again at the earliest place; it never moves later.
// Example: one node of 4 cores. A runs on 3 until 100; B (4 cores) is promised 100, C (2 cores for
// 10 s) 100 + the length of B. A ends at 40: B is moved to 40, and C to the end of B.
//
// Nearly all promises stay where they are. A promise that could not move before can move only if
// some node has been released since, by a job that ended early or by a promise that moved.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/node_plan.hpp"
#include "planner/scheduler.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// A job that does not fit the empty machine is never queued, and therefore counted as rejected.
// Every planned length is at least 1 s.
class NodeConservativePlanner final : public Scheduler {
  public:
    NodeConservativePlanner(const ReplayContext& context, std::shared_ptr<const JobDemands> jobs);
    NodeConservativePlanner(const NodeConservativePlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return false; }
    std::size_t queued() const override { return queue_.size(); }
    void describe(Schedule& schedule) const override { schedule.places = places_; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<NodeConservativePlanner>(*this, context);
    }

  private:
    // Released places; a promise can move only to a start at which it uses some of them.
    struct Freed {
        std::vector<Place> places;
        Time begin;
        Time end;
    };
    struct Range { // range of possible starts
        Time from = kNever;
        Time until = 0;
    };
    struct Promise {
        Time start = kNever;  // none
        std::size_t seen = 0; // number of released places examined, counted from the first ever
        std::vector<Place> places;
    };

    // Releases the rest of the planned times of jobs that ended; returns true if there was any.
    bool finish(std::span<const JobId> ended, Time now);

    // Puts the jobs that can run into the queue.
    void enqueue(std::span<const JobId> arrived);

    // Starts a job that occupies `places` in the plan already. The job stays in the queue.
    void start_on(JobId job, std::span<const Place> places, bool past_a_waiting_job,
                  Starts& starts);

    Time length(JobId job) const;
    const UnitDemand& demand(JobId job) const { return node_jobs_->demand(job); }
    void note_freed(std::span<const JobId> ended, Time now);
    void compress(Time now);
    Range starts_freed(JobId job, Time now) const;
    static Range starts_that_meet(const Freed& freed, const Promise& promise, Time length,
                                  Time now);
    void give(JobId job, Time start);
    void start_due(Time now, Starts& starts);

    ReplayContext context_;
    std::shared_ptr<const JobDemands> node_jobs_;
    NodePlan plan_;
    OrderedQueue queue_;
    JobPlaces places_;              // places of the jobs that have started
    std::vector<Promise> promises_; // indexed by job
    std::vector<Freed> freed_;
    std::size_t forgotten_ = 0; // released places dropped, because every promise has examined them
    std::size_t seen_by_all_ = 0; // released places seen by all promises after the last compression
    std::vector<JobId> arrivals_;
};

} // namespace slotwise
