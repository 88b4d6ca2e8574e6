// The waiting jobs, sorted by the score that an order gives them.
#pragma once

#include "queue/job_ranking.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// A sorted array, for planners that examine the whole queue in each pass. Inserting and erasing
// take O(length) time.
class OrderedQueue {
  public:
    OrderedQueue(const OrderSpec& order, const ReplayJobs& jobs);

    // Copies the queue for use with `jobs`, which is a copy of the jobs that `other` reads.
    OrderedQueue(const OrderedQueue& other, const OrderSpec& order, const ReplayJobs& jobs);

    // Returns true if scores change over time. jobs() is then in the order of the last sort_at(),
    // followed by later insertions.
    bool drifts() const { return ranking_.drifts(); }
    void sort_at(Time now);

    // Sorts `jobs`, which need not be in the queue.
    void sort(std::span<JobId> jobs, Time now) { ranking_.sort(jobs, now); }

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

    // Returns true if `a` comes before `b`. Requires static scores.
    bool precedes(JobId a, JobId b) const { return ranking_.precedes(a, b); }

  private:
    JobRanking ranking_;
    std::vector<JobId> queue_;  // sorted by rank, or by position in the trace if scores change
    std::vector<JobId> sorted_; // used if scores change: sorted as of the last sort_at()
};

} // namespace slotwise
