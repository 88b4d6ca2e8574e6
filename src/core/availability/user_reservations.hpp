// Processors kept for some users, and the jobs that run on them.
//
// Example: 4 of a pool's 10 processors are kept for user 7 on [100, 200). At 100 a job of user 7 on
// 3 processors for 90 s starts inside: it leaves the pool's 6 alone. One for 110 s would end too
// late and counts as any other job of the pool.
#pragma once

#include "availability/pool_plan.hpp"
#include "replay/replay_jobs.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

class UserReservations {
  public:
    // `site` is completed and outlives this.
    explicit UserReservations(const Site& site);

    bool any() const { return !open_.empty(); }

    // Puts the windows into the plans, one plan a pool.
    void announce(std::vector<PoolPlan>& plans) const;

    // The window of this index that begins at `time` is open.
    void begin(std::uint32_t index, Time time, std::vector<PoolPlan>& plans);

    // It is over: jobs that are still inside count on their pool.
    void end(std::uint32_t index, const ReplayJobs& jobs, std::vector<PoolPlan>& plans);

    bool is_open(std::uint32_t index) const { return open_[index].until != kNever; }
    Time until(std::uint32_t index) const { return open_[index].until; }

    // What nobody has of an open one.
    ProcCount left(std::uint32_t index) const {
        return site_->reservations[index].processors - open_[index].used;
    }

    // What runs inside the open reservations of a pool.
    ProcCount used_in(PoolId pool) const;

    bool is_inside(JobId job) const { return !inside_.empty() && inside_.contains(job); }

    // A job starts inside, ends, or is believed to end later than it was. What it is believed to
    // have beyond the window lies in its pool's plan.
    void enter(std::uint32_t index, JobId job, Time believed_end, ProcCount processors,
               PoolPlan& plan);
    void leave(JobId job, Time believed_end, ProcCount processors, PoolPlan& plan);
    void prolong(JobId job, Time believed_end, Time end, ProcCount processors, PoolPlan& plan);

  private:
    struct Open {
        Time until = kNever; // kNever: it is not open
        ProcCount used = 0;
    };

    const Site* site_;
    std::vector<Open> open_;                          // by reservation
    std::unordered_map<JobId, std::uint32_t> inside_; // of running jobs
};

} // namespace slotwise
