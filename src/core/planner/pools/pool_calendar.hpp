// Applies the changes that the calendar makes to the pools, and finds the jobs that these changes
// stop.
#pragma once

#include "planner/pools/job_transitions.hpp"
#include "planner/pools/patience.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

class PoolCalendar {
  public:
    struct Parts {
        PoolsContext& context;
        PoolEvents& events;
        PoolSet& pools;
        JobTransitions& transitions;
    };

    explicit PoolCalendar(const Parts& parts);

    // Makes a copied object use the components of its new planner.
    void rebind(const Parts& parts);

    // Makes the calendar changes that are due, and records each of them by calling
    // patience.note_change(). Stopped jobs rejoin the queue before new jobs arrive at this instant.
    void follow(Patience& patience);

    // Returns the time of the next change, or kNever if no job is running, waiting or yet to
    // arrive.
    Time next_change() const;

  private:
    void make_change(const CalendarChange& change);
    void make_change_on_nodes(const CalendarChange& change);
    void make_change_on_intervals(const CalendarChange& change);
    void crash_or_repair(const CalendarChange& change);
    void crash_on_intervals(const CalendarChange& change);
    std::vector<JobId> jobs_in(std::span<const NodeInterval> nodes) const;
    void sort_last_started_first(std::vector<JobId>& jobs) const;
    void stop_all();
    template <class Asked> std::vector<JobId> jobs_on(Asked&& asked) const;
    void stop_on(const NodesAway& away, bool kills);
    void stop_until_fits(std::size_t node_class);
    void kill_until_fits(PoolId pool);
    void stop(JobId job, EndReason reason);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    JobTransitions* transitions_;
    Calendar calendar_;
    std::vector<JobId> requeued_; // jobs requeued at the current instant
};

} // namespace slotwise
