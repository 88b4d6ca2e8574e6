// The base of planners that promise places on nodes with several resources.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/node_plan.hpp"
#include "planner/scheduler.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <memory>
#include <span>

namespace slotwise {

// Keeps the plan of the running jobs, the queue, and the places of every job that has started. A
// job that the empty machine has no room for is never queued, and so counted as rejected. Nothing
// is planned shorter than 1 s.
class NodePlannerBase : public Scheduler {
  public:
    const JobPlaces& places() const { return places_; }

    std::size_t queued() const override { return queue_.size(); }
    bool drifts() const override { return queue_.drifts(); }
    void describe(Schedule& schedule) const override { schedule.places = places_; }

  protected:
    NodePlannerBase(const ReplayContext& context, std::shared_ptr<const JobDemands> jobs);
    NodePlannerBase(const NodePlannerBase& other, const ReplayContext& context);

    // Gives back what those that ended still held in the plan; whether there was any of it.
    bool finish(std::span<const JobId> ended, Time now);

    // Puts those that can run into the queue.
    void enqueue(std::span<const JobId> arrived);

    // Starts a job that holds `places` in the plan already; it stays in the queue.
    void start_on(JobId job, std::span<const Place> places, bool past_a_waiting_job,
                  Starts& starts);

    Time length(JobId job) const;
    const UnitDemand& demand(JobId job) const { return node_jobs_->demand(job); }

    ReplayContext context_;
    std::shared_ptr<const JobDemands> node_jobs_;
    NodePlan plan_;
    OrderedQueue queue_;
    JobPlaces places_;
};

} // namespace slotwise
