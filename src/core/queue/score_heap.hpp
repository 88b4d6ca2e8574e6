// The waiting jobs under an order whose scores change over time. The job with the highest score is
// taken first.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace slotwise {

// Usually only a few of many jobs are taken. The first few are found by linear search; the others
// are then put into a heap.
class ScoreHeap {
  public:
    // Returns the list of jobs that score() will score. The caller fills it, in ascending order.
    std::vector<JobId>& listed() { return jobs_; }

    void score(const Order& order, const ReplayJobs& jobs, Time now);

    // Adds a job that ranks behind all jobs taken so far.
    void add(JobId job, const Order& order, const ReplayJobs& jobs, Time now);

    bool empty() const { return is_heap_ ? heap_.empty() : jobs_.empty(); }

    // Removes all jobs for which is_kept(job) is false.
    template <class IsKept> void keep_if(IsKept&& is_kept);

    // Takes the job with the highest score. Among jobs with equal scores, takes the first in the
    // trace.
    JobId take_highest();

  private:
    static constexpr int kLooks = 8;

    struct Scored {
        double score;
        JobId job;

        bool operator<(const Scored& other) const { // true if this job comes later
            return score != other.score ? score < other.score : job > other.job;
        }
    };

    void make_heap();

    std::vector<JobId> jobs_;
    std::vector<double> scores_;
    std::vector<Scored> heap_;
    bool is_heap_ = false;
    int looks_ = 0;
};

template <class IsKept> void ScoreHeap::keep_if(IsKept&& is_kept) {
    if (!is_heap_) make_heap();
    std::erase_if(heap_, [&](const Scored& each) { return !is_kept(each.job); });
    std::make_heap(heap_.begin(), heap_.end());
}

} // namespace slotwise
