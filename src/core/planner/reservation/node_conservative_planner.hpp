// Conservative backfilling on nodes with several resources. Promises name specific nodes.
//
// Each job is promised a start time and places when it arrives. When a job ends before its
// estimated end, each promise, in order, is removed and placed again at the earliest possible
// start. This start is never later than before. Example with one node of 4 cores: A runs on 3 cores
// until 100. B (4 cores) is promised a start at 100, and C (2 cores for 10 s) starts when B ends. A
// ends at 40: B moves to 40, and C to the new end of B.
//
// Nearly all promises stay where they are. A promise that could not move before can move only if a
// node has since been released by a job that ended early, or by another promise that moved.
#pragma once

#include "machine/nodes/demands/planned_demand.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/node_plan.hpp"
#include "planner/scheduler.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace slotwise {

// A job that does not fit on the empty machine is never queued, and is therefore counted as
// rejected. Every planned length is at least 1 s.
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
    // Places that were released. A promise can move only to a start at which its job uses some of
    // them.
    //
    // A job can use such a place only during a span in which the place is idle. If units share
    // nodes, a place with a free core counts as idle. The span must overlap with [begin, end). It
    // must also be at least as long as the job, unless the job's own promise begins within the span
    // or at its end. Only another release can lengthen a span, so the spans recorded after a
    // release can be used in all later searches.
    struct Freed {
        std::vector<Place> places;
        Time begin;
        Time end;
        // Idle spans in order of time; each one is longer than all earlier ones.
        std::vector<IdleSpan> idle = {};
        Time idle_until = 0;      // end of the last span
        bool is_measured = false; // true if `longest`, `first` and `last` are known
        Time longest = 0;         // longest span with a free core
        Time first = kNever;      // start of the first such span
        Time last = 0;            // end of the last such span
    };
    static constexpr std::size_t kManyEnds = 4096;

    struct Range { // range of possible starts
        Time from = kNever;
        Time until = 0;
    };
    struct Promise {
        Time start = kNever;  // kNever if there is no promise
        std::size_t seen = 0; // number of releases examined since the replay began
        std::vector<Place> places;
    };

    // Releases the remaining planned time of the jobs that have ended. Returns true if any time was
    // left.
    bool finish(std::span<const JobId> ended, Time now);

    // Adds to the queue the jobs that fit on the empty machine.
    void enqueue(std::span<const JobId> arrived);

    // Starts a job for which the plan already contains `places`. The job stays in the queue.
    void start_on(JobId job, std::span<const Place> places, bool past_a_waiting_job,
                  Starts& starts);

    Time length(JobId job) const;
    const Amounts& each(JobId job) const { return node_jobs_->demand(job).each; }
    void note_freed(std::span<const JobId> ended, Time now);
    void note_idle(std::size_t i);
    void measure(Freed& freed);
    void compress(Time now);
    Range starts_freed(JobId job, Time now);
    Range idle_starts_freed(const Promise& promise, std::size_t seen, Time length, Time now) const;
    static Range starts_that_meet(const Freed& freed, const Promise& promise, Time length,
                                  Time now);
    void give(JobId job, Time start);
    void move(JobId job, Time earlier);
    void start_due(Time now, Starts& starts);

    ReplayContext context_;
    std::shared_ptr<const JobDemands> node_jobs_;
    PlannedDemands demands_;
    NodePlan plan_;
    OrderedQueue queue_;
    JobPlaces places_;              // places of the jobs that have started
    std::vector<Promise> promises_; // indexed by job
    std::vector<Freed> freed_;
    std::vector<Time> longest_idle_; // for each element of freed_, its longest idle span
    // Maps each time at which an idle span ends to the number of the last release with such a span.
    // Releases are numbered from the start of the replay.
    std::unordered_map<Time, std::size_t> idle_until_;
    // Number of releases dropped after every promise had been tested against them.
    std::size_t forgotten_ = 0;
    // Number of releases against which every promise had been tested after the last compression.
    std::size_t seen_by_all_ = 0;
    std::vector<JobId> arrivals_;
    std::vector<IdleSpan> idle_spans_; // scratch memory
};

} // namespace slotwise
