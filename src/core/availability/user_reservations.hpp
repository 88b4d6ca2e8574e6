// Processors reserved for certain users, and the jobs that run on them.
//
// Example: 4 of a pool's 10 processors are reserved for user 7 on [100, 200). At 100, a job of user
// 7 on 3 processors for 90 s starts inside the reservation, and does not affect the other 6
// processors of the pool. A job of 110 s would end too late, so it is treated like any other job
// of the pool.
#pragma once

#include "availability/pools/pool_plan.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

class UserReservations {
  public:
    // `site` must come from completed(), and must outlive this object.
    explicit UserReservations(const Site& site);

    bool any() const { return !open_.empty(); }

    // Adds the windows of all reservations to `plans`, which has one plan for each pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // Opens the window of the reservation with this index that begins at `time`.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // Closes the open window. Jobs that are still running inside it become ordinary jobs of the
    // pool.
    void end(std::uint32_t index, const ReplayJobs& jobs, std::vector<PoolPlan>& plans);

    bool is_open(std::uint32_t index) const { return open_[index].until != kNever; }
    Time until(std::uint32_t index) const { return open_[index].until; }

    // Returns the number of unused processors in an open reservation.
    ProcCount left(std::uint32_t index) const {
        return site_->reservations[index].processors - open_[index].used;
    }

    // Returns the number of processors in use inside the open reservations of a pool.
    ProcCount used_in(PoolId pool) const;

    bool is_inside(JobId job) const { return !inside_.empty() && inside_.contains(job); }

    // These functions add a job that starts inside the reservation, remove a job that ends, and
    // move a job's estimated end. If a job is expected to end after the window closes, the part
    // after the window belongs to the plan of the pool.
    void enter(std::uint32_t index, JobId job, Time estimated_end, ProcCount processors,
               PoolPlan& plan);
    void leave(JobId job, Time estimated_end, ProcCount processors, PoolPlan& plan);
    void prolong(JobId job, Time estimated_end, Time end, ProcCount processors, PoolPlan& plan);

  private:
    struct Open {
        Time until = kNever; // end of the open window; kNever while none is open
        ProcCount used = 0;
    };

    const Site* site_;
    std::vector<Open> open_;                          // one element per reservation
    std::unordered_map<JobId, std::uint32_t> inside_; // jobs inside, each with its reservation
};

} // namespace slotwise
