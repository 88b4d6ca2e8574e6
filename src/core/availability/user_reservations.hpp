// Processors reserved for some users, and the jobs that run on them.
//
// Example: 4 of a pool's 10 processors are reserved for user 7 on [100, 200). At 100 a job of user
// 7 on 3 processors for 90 s starts inside, and does not affect the pool's other 6. A job for 110 s
// would end too late, and is treated like any other job of the pool.
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
    // `site` must already be completed, and must outlive this object.
    explicit UserReservations(const Site& site);

    bool any() const { return !open_.empty(); }

    // Adds the windows to the plans, one plan per pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // Opens the window with this index, which begins at `time`.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // Closes the window; jobs that are still inside then count as using their pool.
    void end(std::uint32_t index, const ReplayJobs& jobs, std::vector<PoolPlan>& plans);

    bool is_open(std::uint32_t index) const { return open_[index].until != kNever; }
    Time until(std::uint32_t index) const { return open_[index].until; }

    // Unused processors of an open reservation.
    ProcCount left(std::uint32_t index) const {
        return site_->reservations[index].processors - open_[index].used;
    }

    // Processors in use inside the open reservations of a pool.
    ProcCount used_in(PoolId pool) const;

    bool is_inside(JobId job) const { return !inside_.empty() && inside_.contains(job); }

    // Adds a job that starts inside, removes a job that ends, or moves a job's estimated end. The
    // part of a job's plan beyond the window is in the plan of its pool.
    void enter(std::uint32_t index, JobId job, Time estimated_end, ProcCount processors,
               PoolPlan& plan);
    void leave(JobId job, Time estimated_end, ProcCount processors, PoolPlan& plan);
    void prolong(JobId job, Time estimated_end, Time end, ProcCount processors, PoolPlan& plan);

  private:
    struct Open {
        Time until = kNever; // kNever while closed
        ProcCount used = 0;
    };

    const Site* site_;
    std::vector<Open> open_;                          // one per reservation
    std::unordered_map<JobId, std::uint32_t> inside_; // running jobs
};

} // namespace slotwise
