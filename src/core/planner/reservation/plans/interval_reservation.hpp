// Consecutive nodes that are reserved for a job that cannot start now.
//
// Example with 10 nodes: A runs on nodes [0, 4) and B on nodes [6, 8); they are estimated to end at
// 100 and 50. A job on 5 nodes fits nowhere now. At 50 the slot [4, 10) will be free, so the job's
// reservation under first fit is [4, 9) from 50 onwards.
#pragma once

#include "machine/torus/slots.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace slotwise {

// A reservation consists of a time and an interval of nodes. The time is the first instant at
// which, according to the estimates, enough consecutive nodes are free; the interval is chosen
// among these nodes. This class also stores the nodes of the running jobs.
class IntervalReservation {
  public:
    // Records a running job with its estimated end and its nodes.
    void add(JobId job, Time end, std::span<const NodeInterval> nodes);

    void prolong(JobId job, Time end);

    // Removes a running job, and returns its nodes to `slots`. `end` is its estimated end.
    void remove(JobId job, Time end, Slots& slots);

    // Releases the nodes of running jobs into `slots`, in the order of their estimated ends, until
    // choose() finds nodes. Then undoes these releases.
    template <class Choose> void make(Slots& slots, Time now, Choose&& choose);

    Time from() const { return from_; }

    // Takes the free reserved nodes out of `slots`, unless this has already been done.
    void set_aside(Slots& slots);
    void put_back(Slots& slots);
    bool is_aside() const { return !aside_.empty(); }

  private:
    struct Release { // the release of a running job's nodes at its estimated end
        Time end;
        JobId job;
        NodeInterval nodes;
    };

    void add(const Release& release);

    std::vector<Release> releases_; // ascending by end and job
    std::vector<NodeInterval> moved_;
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
