// Free capacity in the pools of a site. On most machines, it is a number of processors. On machines
// where such a number is not enough to tell whether a job fits, each job is tested individually.
#pragma once

#include "availability/pools/pool_plan.hpp"
#include "availability/start_times.hpp"
#include "planner/job_pools.hpp"
#include "planner/pools/pools_context.hpp"
#include "queue/pool_queue.hpp"
#include "types.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

// `by_job` is null if only the number of free processors matters. Otherwise, a job that starts gets
// the places found by the last search.
class PoolRoom {
  public:
    PoolRoom(const PoolsContext& context, std::vector<PoolPlan>& plans, JobPools* by_job)
        : context_(context), plans_(plans), by_job_(by_job) {}

    bool fits_now(PoolId pool, JobId job, Time length) {
        if (by_job_) return by_job_->fits_now(job, length);
        return plans_[pool].fits_now(length, processors(job));
    }

    bool is_refused(JobId job, Time length) const {
        return by_job_ != nullptr && by_job_->is_refused(job, length);
    }

    bool is_full(PoolId pool) const {
        return by_job_ ? by_job_->most_now(pool) == 0 : plans_[pool].free() == 0;
    }

    // Returns bounds on the jobs that may fit. A job that exceeds them does not fit.
    BackfillBounds bounds(PoolId pool) const {
        if (!by_job_) return plans_[pool].bounds();
        const ProcCount most = std::min(by_job_->most_now(pool), plans_[pool].processors());
        return most == 0 ? BackfillBounds{0, 0, 0} : PoolQueue::any(most);
    }

    bool reserve(PoolId pool, JobId job, Time length) {
        if (by_job_) return by_job_->reserve(pool, job, length);
        return plans_[pool].reserve(length, processors(job));
    }

    void reserve_at(PoolId pool, JobId job, Time from, Time length) {
        if (by_job_) return by_job_->reserve_at(pool, job, from, length);
        plans_[pool].reserve_at(from, length, processors(job));
    }

    void drop_reservations(PoolId pool) {
        if (by_job_) return by_job_->drop_reservations(pool);
        plans_[pool].drop_reservations();
    }

    Time earliest(PoolId pool, JobId job, Time length, Time from) {
        if (by_job_) return by_job_->earliest(job, length, from, kNever);
        return plans_[pool].earliest(length, processors(job), from);
    }

    Time earliest_start(PoolId pool, JobId job, Time length, const StartTimes& starts) {
        if (by_job_) return by_job_->earliest_start(job, length, context_.now, kNever, starts);
        return plans_[pool].earliest_start(length, processors(job), context_.now, starts);
    }

  private:
    ProcCount processors(JobId job) const { return context_.jobs.processors[job]; }

    const PoolsContext& context_;
    std::vector<PoolPlan>& plans_;
    JobPools* by_job_;
};

} // namespace slotwise
