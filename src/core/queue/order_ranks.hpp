// An order, and the fixed ranks that all jobs have under it.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <vector>

namespace slotwise {

// If scores change over time, the ranks are positions in the trace.
class OrderRanks {
  public:
    OrderRanks(const OrderSpec& spec, const ReplayJobs& jobs)
        : order_(make_order(spec)), drifts_(!order_->is_static()) {
        if (!drifts_) rank_ = static_ranks(*order_, jobs);
    }

    // Copies the ranks, but creates a new order object, because an order has scratch memory that
    // cannot be shared. `spec` must specify the same order as in `other`.
    OrderRanks(const OrderRanks& other, const OrderSpec& spec)
        : order_(make_order(spec)), drifts_(other.drifts_), rank_(other.rank_) {}

    const Order& order() const { return *order_; }
    bool drifts() const { return drifts_; }
    JobId rank_of(JobId job) const { return rank_.empty() ? job : rank_[job]; }

  private:
    std::unique_ptr<Order> order_;
    bool drifts_;
    std::vector<JobId> rank_; // empty if ranks follow the order of the trace
};

} // namespace slotwise
