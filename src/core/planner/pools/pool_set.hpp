// The pools of a site: their plans, and what runs in them.
//
// Example, pools A and B of 4: a job on 3 runs in A, one on 5 in both, on 1 of A and all of B. As
// the second ends, each plan gets back its part.
#pragma once

#include "availability/pool_outages.hpp"
#include "availability/pool_plan.hpp"
#include "availability/user_reservations.hpp"
#include "containers/job_set.hpp"
#include "estimates/estimated_ends.hpp"
#include "planner/pools/advance_reservations.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pools_context.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace slotwise {

class PoolSet {
  public:
    PoolSet(PoolsContext& context, PoolEvents& events);

    // A copy goes on over another context and its events.
    void rebind(PoolsContext& context, PoolEvents& events);

    // The plans, by pool.
    std::size_t size() const { return plans_.size(); }
    PoolPlan& plan(PoolId pool) { return plans_[pool]; }
    const PoolPlan& plan(PoolId pool) const { return plans_[pool]; }
    const std::vector<PoolPlan>& plans() const { return plans_; }
    std::vector<ProcCount> free_in_each() const;

    // Takes the plans to the present instant.
    void advance();

    // A waiting job starts: in one pool; with `shares` of several; inside an open reservation of
    // its user. It is planned for `length`.
    void occupy(JobId job, PoolId pool, Time length);
    Time occupy(JobId job, std::vector<PoolShare> shares, Time length);
    void occupy_inside(JobId job, std::uint32_t reservation, Time length);

    // A running job gives its processors back, planned until `planned_end`.
    void vacate(JobId job, Time planned_end);
    void vacate(JobId job) { vacate(job, planned_end(job)); }

    // Running jobs that have outlived their estimates are planned until a later end.
    void correct_estimates();

    // The time until which a running job is planned.
    Time planned_end(JobId job) const;

    // Running jobs, planned until `planned_ends` so far, are planned by the present estimates.
    void plan_anew(std::span<const JobId> running, const std::vector<Time>& planned_ends);

    // The pool in which a job runs or ran last; kAnyPool: none or several.
    PoolId pool_of(JobId job) const { return pool_of_[job]; }
    const std::vector<PoolId>& pool_of_each() const { return pool_of_; }
    void set_pool_of(JobId job, PoolId pool) { pool_of_[job] = pool; }

    // Processors that a running job, or all together, have of a pool.
    ProcCount processors_in(PoolId pool, JobId job) const;
    std::vector<ProcCount> busy_in_each() const;

    std::size_t n_running() const { return n_running_; }
    const JobSet& running() const { return running_; } // kept where there is a calendar

    // Parts of all jobs that have run in several pools.
    const std::vector<Schedule::Span>& spans() const { return spans_; }
    void forget_spans_from(std::size_t first) { spans_.resize(first); }

    // Outages and reservations of users, which begin and end.
    const PoolOutages& outages() const { return outages_; }
    const UserReservations& reservations() const { return reservations_; }
    void begin_outage(std::uint32_t index, Time time);
    void end_outage(std::uint32_t index, Time time) { outages_.end(index, time, plans_); }
    void begin_repair(Time time) { outages_.begin_repair(time, plans_); }
    void end_repair(Time time) { outages_.end_repair(time, plans_); }
    void begin_reservation(std::uint32_t index, Time time);
    void end_reservation(std::uint32_t index);

    // Plans what is announced in these pools before `time`; returns whether there was something.
    bool reach(const std::vector<PoolId>& pools, Time time);

    // A sum that grows whenever there may be more free in one of these pools than was planned.
    std::uint64_t eased(const std::vector<PoolId>& pools) const;

  private:
    void prolong(JobId job, Time planned_end, Time end);
    void note_running(JobId job, PoolId pool);
    void note_vacated(PoolId pool, bool opens);

    PoolsContext* context_;
    PoolEvents* events_;
    std::vector<PoolPlan> plans_;
    std::vector<PoolId> pool_of_;                              // by job, of its last start
    std::unordered_map<JobId, std::vector<PoolShare>> shares_; // of jobs that run in several pools
    EstimatedEnds ends_;
    PoolOutages outages_;
    UserReservations reservations_;
    JobSet running_;
    std::size_t n_running_ = 0;
    std::vector<Schedule::Span> spans_;
};

} // namespace slotwise
