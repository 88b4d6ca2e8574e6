// The pools of a site: their plans, and the jobs that are running in them.
//
// Example with pools A and B of 4 processors each: a job on 3 processors runs in A; a job on 5
// spans both pools, with 1 processor of A and all of B. When the second job ends, its shares are
// free again in both plans.
#pragma once

#include "availability/pool_outages.hpp"
#include "availability/pools/pool_plan.hpp"
#include "availability/user_reservations.hpp"
#include "containers/job_set.hpp"
#include "estimates/estimated_ends.hpp"
#include "planner/open_reservations.hpp"
#include "planner/planned_machine.hpp"
#include "planner/pools/advance_reservations.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_room.hpp"
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

    // Makes a copied object use the context and the events of its new planner.
    void rebind(PoolsContext& context, PoolEvents& events);

    PoolPlan& plan(PoolId pool) { return plans_[pool]; }
    const PoolPlan& plan(PoolId pool) const { return plans_[pool]; }
    const std::vector<PoolPlan>& plans() const { return plans_; }
    std::vector<ProcCount> free_in_each() const;

    // Returns the plan of the nodes. It is unused on machines where the number of free processors
    // shows whether a job fits.
    PlannedMachine& machine() { return machine_; }
    const PlannedMachine& machine() const { return machine_; }

    PoolRoom room() { return {*context_, plans_, machine_.by_job()}; }

    void advance();

    // These functions start a waiting job, and plan it for `length`. The job gets processors in one
    // pool, `shares` of several pools, or processors inside an open reservation of its user.
    void occupy(JobId job, PoolId pool, Time length);
    Time occupy(JobId job, std::vector<PoolShare> shares, Time length);
    void occupy_inside(JobId job, std::uint32_t reservation, Time length);

    // Releases the processors of a running job that was planned to end at `planned_end`.
    void vacate(JobId job, Time planned_end);
    void vacate(JobId job) { vacate(job, planned_end(job)); }

    // Extends the plans of running jobs that have exceeded their estimates.
    void correct_estimates();

    Time planned_end(JobId job) const;

    // Plans the running jobs again with the current estimates. `planned_ends` contains their
    // previous planned ends.
    void plan_anew(std::span<const JobId> running, const std::vector<Time>& planned_ends);

    // Returns the pool in which a job is running or ran last. Returns kAnyPool if there is none, or
    // if there are several.
    PoolId pool_of(JobId job) const { return pool_of_[job]; }
    const std::vector<PoolId>& pool_of_each() const { return pool_of_; }
    void set_pool_of(JobId job, PoolId pool) { pool_of_[job] = pool; }

    ProcCount processors_in(PoolId pool, JobId job) const;

    std::size_t n_running() const { return n_running_; }
    // Returns the running jobs. The set is kept up to date only if there is a calendar.
    const JobSet& running() const { return running_; }

    // Returns the shares of all jobs that have run in several pools.
    const std::vector<Schedule::Span>& spans() const { return spans_; }
    void forget_spans_from(std::size_t first) { spans_.resize(first); }

    const PoolOutages& outages() const { return outages_; }
    const UserReservations& reservations() const { return reservations_; }

    OpenReservations open_reservations() const { return {reservations_, machine_.by_job()}; }
    void begin_outage(std::uint32_t index, Time time);
    void end_outage(std::uint32_t index, Time time) { outages_.end(index, time, plans_); }
    void begin_repair(Time time) { outages_.begin_repair(time, plans_); }
    void end_repair(Time time) { outages_.end_repair(time, plans_); }
    void begin_reservation(std::uint32_t index, Time time);
    void end_reservation(std::uint32_t index);

    // Adds to the plans the announced windows of these pools that begin before `time`. Returns true
    // if there were any.
    bool reach(const std::vector<PoolId>& pools, Time time);

    // Returns a counter that grows whenever more processors may have become free in one of these
    // pools than were planned.
    std::uint64_t eased(const std::vector<PoolId>& pools) const;

  private:
    void prolong(JobId job, Time planned_end, Time end);
    void note_running(JobId job, PoolId pool);
    void note_vacated(PoolId pool, bool opens);

    PoolsContext* context_;
    PoolEvents* events_;
    std::vector<PoolPlan> plans_;
    PlannedMachine machine_;
    std::vector<PoolId> pool_of_; // for each job, the pool of its last start
    std::unordered_map<JobId, std::vector<PoolShare>> shares_; // only for jobs in several pools
    EstimatedEnds ends_;
    PoolOutages outages_;
    UserReservations reservations_;
    JobSet running_;
    std::size_t n_running_ = 0;
    std::vector<Schedule::Span> spans_;
};

} // namespace slotwise
