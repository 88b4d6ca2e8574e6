// The window planner's reservation for a job that has reached the age limit. It is computed from
// the estimated ends of the running jobs, which are also stored here.
#pragma once

#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "machine/torus/slots.hpp"
#include "planner/reservation/plans/interval_reservation.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <span>

namespace slotwise {

class AgedReservation {
  public:
    explicit AgedReservation(const ReplayContext& context);
    AgedReservation(const AgedReservation& other, const ReplayContext& context);

    const RunTimeEstimates& estimates() const { return estimates_; }

    // Records that a job starts on these nodes at `start`.
    void add(JobId job, Time start, std::span<const NodeInterval> nodes);

    // Continues a replay in progress: records its running jobs, and removes their nodes from
    // `slots`.
    void take_over(const Underway& underway, Slots& slots);

    // Returns the nodes of the finished jobs to `slots`, and extends the estimates that running
    // jobs have exceeded.
    void update(Time now, std::span<const JobId> ended, Slots& slots);

    // Reserves the interval of `nodes` nodes that is expected to become free first, and removes it
    // from `slots`.
    void make(Slots& slots, Time now, NodeCount nodes);

    // Returns true if the job, started at `now`, is expected to end by the time the reservation
    // begins.
    bool is_passed_by(JobId job, Time now) const {
        return now + estimates_.waiting(job) <= reservation_.from();
    }

    void set_aside(Slots& slots) { reservation_.set_aside(slots); }
    void put_back(Slots& slots) { reservation_.put_back(slots); }

  private:
    const ReplayContext* context_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    IntervalReservation reservation_;
};

} // namespace slotwise
