// Nodes that follow one another, kept for a job that cannot start now.
//
// Example, 10 nodes: A runs on [0, 4) until 100 and B on [6, 8) until 50, both by their estimates.
// A job of 5 nodes fits nowhere; at 50 the slot [4, 10) is free, so its reservation is [4, 9) from
// 50 on, where the first fit is asked for.
#pragma once

#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "machine/torus/slots.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace slotwise {

// A reservation is a time and an interval: the first instant at which, by estimates, enough nodes
// that follow one another are free, and those of them that are chosen. Follows the running jobs for
// that, with the nodes of each.
class IntervalReservation {
  public:
    explicit IntervalReservation(const ReplayContext& context);
    IntervalReservation(const IntervalReservation& other, const ReplayContext& context);

    const RunTimeEstimates& estimates() const { return estimates_; }
    void add(JobId job, Time start, std::span<const NodeInterval> nodes);

    // Takes the nodes of the running jobs out of `slots`.
    void take_over(const Underway& underway, Slots& slots);

    // Gives the nodes of the jobs back to `slots`.
    void remove(std::span<const JobId> ended, Slots& slots);

    // Follows the running jobs that outlive what is believed of them; tells whether there are any.
    bool correct_estimates(Time now);

    // Has the running jobs end as believed, in `slots` itself, until choose() gives nodes, and
    // undoes it.
    template <class Choose> void make(Slots& slots, Time now, Choose&& choose);

    Time from() const { return from_; }

    // Takes the free nodes that are reserved out of `slots`, unless they are.
    void set_aside(Slots& slots);
    void put_back(Slots& slots);
    bool is_aside() const { return !aside_.empty(); }

  private:
    struct Release { // of nodes of a running job, by estimate
        Time end;
        JobId job;
        NodeInterval nodes;
    };

    void add(const Release& release);
    std::span<const Release> take(Time end, JobId job);

    const ReplayContext* context_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    std::vector<Release> releases_; // ascending by end and job
    std::vector<Release> taken_;
    Time from_ = kNever;
    NodeInterval nodes_;
    std::vector<NodeInterval> aside_;
};

template <class Choose> void IntervalReservation::make(Slots& slots, Time now, Choose&& choose) {
    std::size_t n_gone = 0;
    from_ = now;
    while ((nodes_ = choose()).empty()) {
        from_ = std::max(releases_[n_gone].end, now);
        for (; n_gone < releases_.size() && releases_[n_gone].end <= from_; ++n_gone)
            slots.release(releases_[n_gone].nodes);
    }
    for (std::size_t i = 0; i < n_gone; ++i)
        slots.allocate(releases_[i].nodes);
}

} // namespace slotwise
