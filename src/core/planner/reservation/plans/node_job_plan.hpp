// The plan of a machine with nodes that have several resources. Each query concerns one job.
#pragma once

#include "machine/nodes/demands/planned_demand.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/node_plan.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// A job occupies places: units on nodes. This class stores the places of running jobs.
class NodeJobPlan {
  public:
    static constexpr bool kKeepsReservations = true;
    static constexpr Duration kLeastLength = 1;
    using Hold = std::vector<Place>;

    NodeJobPlan(const ReplayContext& context, std::shared_ptr<const JobDemands> demands);

    // Copies the plan for use with a copy of the jobs.
    NodeJobPlan(const NodeJobPlan& other, const ReplayContext&) : NodeJobPlan(other) {}

    const JobPlaces& places() const { return places_; }

    bool can_hold(JobId job) const { return demands_->can_run[demands_->kind_of[job]] != 0; }
    void advance(Time now);
    void begin() {}
    void close() {}
    bool is_full() const { return false; }

    // Removes all recorded failures, so that jobs that did not fit are tried again.
    void forget_failures() { failures_.clear(); }

    bool fits_first(JobId job, Duration length) { return has_room(job) && fits(job, length); }
    bool has_room(JobId job) const { return planned_.of(job).room.within(plan_.free(now_)); }
    bool fits(JobId job, Duration length);
    Time earliest(JobId job, Duration length, bool only_running) const {
        return only_running ? plan_.earliest_rising(planned_.of(job), now_)
                            : plan_.earliest(planned_.of(job), length, now_);
    }

    void occupy(JobId job, Time from, Time to, Hold& hold);
    void vacate(JobId job, Time from, Time to, Hold& hold);

    void start(JobId job, Time planned, Time end);
    void prolong(JobId job, Time from, Time to);
    void finish(JobId job, Time end);

  private:
    static constexpr std::size_t kMostFailures = 48;

    // A demand that did not fit for `length`. Until forget_failures() is called, no demand that is
    // at least as large can fit for that length or longer.
    struct Failure {
        UnitDemand demand;
        Time length;
    };

    const UnitDemand& demand(JobId job) const { return demands_->demand(job); }
    void note_failure(const Failure& failure);

    std::shared_ptr<const JobDemands> demands_;
    PlannedDemands planned_;
    NodePlan plan_;
    Time now_;
    JobPlaces places_;
    std::vector<Failure> failures_; // since the last call to forget_failures()
    // Index of the failure that is replaced next, once there are kMostFailures.
    std::size_t next_failure_ = 0;
    std::vector<Place> found_;
};

} // namespace slotwise
