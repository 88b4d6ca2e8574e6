// Waiting jobs in the sequence of an order.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// A sorted row, for planners that look at the whole queue each pass: insert and erase are
// O(length).
class OrderedQueue {
  public:
    OrderedQueue(const OrderSpec& order, const ReplayJobs& jobs);

    // The same jobs over `jobs`, a copy of those `other` reads.
    OrderedQueue(const OrderedQueue& other, const OrderSpec& order, const ReplayJobs& jobs);

    // Whether scores change as time passes; then the sequence is that of the last sort_at().
    bool drifts() const { return !order_->is_static(); }
    void sort_at(Time now);

    void insert(JobId job);
    void erase(JobId job);

    bool empty() const { return jobs_.empty(); }
    std::size_t size() const { return jobs_.size(); }
    JobId front() const { return jobs_.front(); }
    std::span<const JobId> jobs() const { return jobs_; }

  private:
    struct Scored {
        double score;
        JobId job;
    };

    bool precedes(JobId a, JobId b) const { return rank_.empty() ? a < b : rank_[a] < rank_[b]; }

    const ReplayJobs* columns_;
    std::unique_ptr<Order> order_;
    std::vector<JobId> rank_; // under a static order; empty: the trace's own
    std::vector<JobId> jobs_;
    std::vector<double> scores_;
    std::vector<Scored> scored_;
};

} // namespace slotwise
