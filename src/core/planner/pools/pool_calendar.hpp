// Changes that the calendar makes to the pools, and the jobs that are stopped by them.
#pragma once

#include "planner/pools/job_transitions.hpp"
#include "planner/pools/patience.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pools_context.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <vector>

namespace slotwise {

class PoolCalendar {
  public:
    struct Parts { // that this one works with
        PoolsContext& context;
        PoolEvents& events;
        PoolSet& pools;
        JobTransitions& transitions;
    };

    explicit PoolCalendar(const Parts& parts);

    // A copy goes on over other parts.
    void rebind(const Parts& parts);

    // Makes the changes that are due, each of which costs patience. Jobs that they stop wait again
    // before this instant's jobs arrive.
    void follow(Patience& patience);

    // The next change that matters, or kNever: while something runs, or waits and may start one
    // day.
    Time next_change() const;

  private:
    void make_change(const CalendarChange& change);
    void kill_until_fits(PoolId pool);
    void stop(JobId job, EndReason reason);

    PoolsContext* context_;
    PoolEvents* events_;
    PoolSet* pools_;
    JobTransitions* transitions_;
    Calendar calendar_;
    std::vector<JobId> requeued_; // in the present instant
};

} // namespace slotwise
