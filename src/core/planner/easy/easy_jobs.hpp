// Ranks, sizes and assumed lengths of jobs, as the EASY planner and its parts read them.
#pragma once

#include "estimates/run_time_estimates.hpp"
#include "order/order.hpp"
#include "planner/easy/easy_rules.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// Ranks are those of the queue's order, backfill ranks those of the order behind the head; a rank
// is the position in the trace where scores drift.
template <class Rules> class EasyJobs {
  public:
    EasyJobs(const ReplayContext& context, const Rules& rules, const RunTimeEstimates& estimates,
             const Order& order, const Order& behind);

    // The same ranks over a copy of the jobs.
    EasyJobs(const EasyJobs& other, const ReplayContext& context,
             const RunTimeEstimates& estimates);

    std::size_t size() const { return columns_->size(); }
    std::span<const ProcCount> sizes() const { return columns_->processors; }
    std::span<const JobId> backfill_ranks() const { return backfill_rank_; }

    // The assumed lengths of all jobs; only where they do not drift.
    std::span<const Duration> lengths() const { return *estimates_->waiting_column(); }

    JobId rank_of(JobId job) const {
        return rules_.in_trace_order || rank_.empty() ? job : rank_[job];
    }
    JobId backfill_rank_of(JobId job) const {
        return rules_.in_trace_order || backfill_rank_.empty() ? job : backfill_rank_[job];
    }
    JobId at_rank(JobId rank) const {
        return rules_.in_trace_order || by_rank_.empty() ? rank : by_rank_[rank];
    }
    ProcCount processors(JobId job) const { return columns_->processors[job]; }
    Duration length_of(JobId job) const { // of a waiting job
        return rules_.takes_requests ? columns_->requested_time[job] : estimates_->waiting(job);
    }

  private:
    [[no_unique_address]] Rules rules_;
    const ReplayJobs* columns_;
    const RunTimeEstimates* estimates_;
    std::vector<JobId> rank_; // under a static order; empty: the trace's own
    std::vector<JobId> by_rank_;
    std::vector<JobId> backfill_rank_;
};

} // namespace slotwise
