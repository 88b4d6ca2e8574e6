// The plan of a torus on which each job gets consecutive nodes, with at most one reservation.
//
// Example with 10 nodes, first fit: A runs on nodes [0, 4) and B on nodes [6, 8); they are
// estimated to end at 100 and 50. C, on 5 nodes, is the head: 4 nodes are free, but in two slots of
// 2 nodes each. At 50 the slot [4, 10) will be free, so C's reservation is [4, 9) from 50 onwards.
// D, on 2 nodes for 40 s, starts at 10 on [4, 6), because it ends by 50. E, on 1 node for 500 s,
// does not end by 50, but starts on [9, 10), which is outside [4, 9). F, on 2 nodes for 500 s,
// waits, because no 2 consecutive nodes are free outside the reserved interval.
#pragma once

#include "availability/intervals/choose_interval.hpp"
#include "machine/torus/slots.hpp"
#include "machine/torus/torus.hpp"
#include "planner/reservation/plans/interval_reservation.hpp"
#include "replay/context.hpp"
#include "types.hpp"

namespace slotwise {

// The reservation is computed again only after the running jobs or their estimates have changed.
class IntervalJobPlan {
  public:
    static constexpr bool kKeepsReservations = false;
    static constexpr Duration kLeastLength = 0;
    struct Hold {};

    explicit IntervalJobPlan(const ReplayContext& context);

    // Copies the plan for use with a copy of the jobs.
    IntervalJobPlan(const IntervalJobPlan& other, const ReplayContext& context);

    const Slots& slots() const { return slots_; }

    // Returns the nodes of the job that started last.
    NodeInterval nodes_of_start() const { return found_; }

    bool can_hold(JobId) const { return true; }
    void advance(Time now) { now_ = now; }
    void begin() { note_largest(); }
    void close() {}
    bool is_full() const { return slots_.free() == 0; }

    // fits() stores the nodes that it finds, and start() uses them.
    bool fits_first(JobId job, Duration length) { return has_room(job) && fits(job, length); }
    bool has_room(JobId job) const { return jobs_->processors[job] <= largest_; }
    bool fits(JobId job, Duration length);
    Time earliest(JobId job, Duration length, bool only_running);

    void occupy(JobId, Time, Time, Hold&) { is_reserved_ = true; }
    void vacate(JobId job, Time from, Time to, Hold&);

    void start(JobId job, Time planned, Time end);
    void prolong(JobId job, Time from, Time to);
    void finish(JobId job, Time end);

    // Adds a running job that started before this plan was created.
    void resume(JobId job, Time end);

  private:
    NodeInterval find(JobId job) const {
        return choose_interval(slots_, allocation_, torus_->nodes_for(jobs_->processors[job]));
    }
    void note_largest() { largest_ = slots_.largest_size() * torus_->processors_per_node(); }

    const ReplayJobs* jobs_;
    const ScheduleSoFar* schedule_;
    const Torus* torus_;
    Allocation allocation_;
    Slots slots_;
    IntervalReservation reservation_;
    JobId computed_for_ = kNoJob; // the job for which the reservation was computed
    bool is_outdated_ = true;     // the reservation must be computed again
    bool is_reserved_ = false;
    Time now_ = 0;
    NodeInterval found_;
    ProcCount largest_ = 0; // no slot has more processors than this during the rest of the pass
};

} // namespace slotwise
