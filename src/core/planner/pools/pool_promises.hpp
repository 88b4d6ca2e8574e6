// The start times promised to the waiting jobs of a site under conservative backfilling.
#pragma once

#include "site/site.hpp"
#include "types.hpp"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

struct PoolPromise {
    PoolId pool;
    Time start;
    Time length; // at least 1

    Time end() const { return start + length; }
    bool operator==(const PoolPromise&) const = default;
};

class PoolPromises {
  public:
    bool empty() const { return of_job_.empty(); }
    bool holds(JobId job) const { return of_job_.contains(job); }
    const PoolPromise& of(JobId job) const { return of_job_.at(job); }

    void put(JobId job, const PoolPromise& promise) {
        of_job_.emplace(job, promise);
        by_start_.emplace(std::pair(promise.start, job), promise);
    }
    PoolPromise take(JobId job) {
        const auto found = of_job_.find(job);
        const PoolPromise promise = found->second;
        by_start_.erase({promise.start, job});
        of_job_.erase(found);
        return promise;
    }

    // first_start() returns the earliest promised start, and first_after() the earliest one after
    // `now`. Both return kNever if there is none.
    Time first_start() const { return by_start_.empty() ? kNever : by_start_.begin()->first.first; }
    Time first_after(Time now) const {
        const auto next = by_start_.lower_bound({now + 1, 0});
        return next == by_start_.end() ? kNever : next->first.first;
    }

    // Calls visit(job, promise) for each promise that starts at or before `time`, in order of
    // start.
    template <class Visitor> void for_each_until(Time time, Visitor&& visit) const {
        for (const auto& [key, promise] : by_start_) {
            if (key.first > time) return;
            visit(key.second, promise);
        }
    }

  private:
    std::unordered_map<JobId, PoolPromise> of_job_;
    std::map<std::pair<Time, JobId>, PoolPromise> by_start_;
};

} // namespace slotwise
