// Waiting jobs, sorted by an order.
#pragma once

#include "queue/job_ranking.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// A sorted array, for planners that examine the whole queue in each pass. Insert and erase are
// O(length).
class OrderedQueue {
  public:
    OrderedQueue(const OrderSpec& order, const ReplayJobs& jobs);

    // Copies the queue for use with `jobs`, a copy of the jobs that `other` reads.
    OrderedQueue(const OrderedQueue& other, const OrderSpec& order, const ReplayJobs& jobs);

    // True if scores change over time. jobs() then has the order of the last sort_at(), followed by
    // later insertions.
    bool drifts() const { return ranking_.drifts(); }
    void sort_at(Time now);

    void insert(JobId job);
    void erase(JobId job);
    template <class Predicate> void erase_if(Predicate gone) {
        std::erase_if(queue_, gone);
        std::erase_if(sorted_, gone);
    }

    bool empty() const { return queue_.empty(); }
    std::size_t size() const { return queue_.size(); }
    JobId front() const { return jobs().front(); }
    std::span<const JobId> jobs() const { return drifts() ? sorted_ : queue_; }

    // True if `a` comes before `b`. Requires static scores.
    bool precedes(JobId a, JobId b) const { return ranking_.precedes(a, b); }

  private:
    JobRanking ranking_;
    std::vector<JobId> queue_;  // by rank; if scores drift, by position in the trace
    std::vector<JobId> sorted_; // if scores drift: as of the last sort_at()
};

} // namespace slotwise
