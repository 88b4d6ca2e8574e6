// Ranks, sizes and assumed lengths of jobs, for the EASY planner and its parts.
#pragma once

#include "containers/shared_column.hpp"
#include "estimates/run_time_estimates.hpp"
#include "order/order.hpp"
#include "planner/easy/easy_rules.hpp"
#include "replay/context.hpp"
#include "types.hpp"

#include <span>

namespace slotwise {

// Ranks follow the order of the queue. Backfill ranks follow the order in which jobs behind the
// head are tried. If scores change over time, a job's rank is its position in the trace.
template <class Rules> class EasyJobs {
  public:
    EasyJobs(const ReplayContext& context, const Rules& rules, const RunTimeEstimates& estimates,
             const Order& order, const Order& behind);

    // Copies the ranks for use with a copy of the jobs.
    EasyJobs(const EasyJobs& other, const ReplayContext& context,
             const RunTimeEstimates& estimates);

    // Copies the ranks of a planner with other rules, for use with a copy of the jobs.
    template <class Other>
    EasyJobs(const EasyJobs<Other>& other, const ReplayContext& context, const Rules& rules,
             const RunTimeEstimates& estimates)
        : rules_(rules), columns_(&context.jobs), estimates_(&estimates), rank_(other.rank_),
          by_rank_(other.by_rank_), backfill_rank_(other.backfill_rank_) {}

    std::size_t size() const { return columns_->size(); }
    std::span<const ProcCount> sizes() const { return columns_->processors; }
    std::span<const JobId> backfill_ranks() const { return backfill_rank_; }

    // Returns the assumed lengths of all jobs. Requires that they do not change over time.
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
    Duration length_of(JobId job) const { // valid only for waiting jobs
        return rules_.takes_requests ? columns_->requested_time[job] : estimates_->waiting(job);
    }

  private:
    template <class Other> friend class EasyJobs;

    [[no_unique_address]] Rules rules_;
    const ReplayJobs* columns_;
    const RunTimeEstimates* estimates_;
    SharedColumn<JobId> rank_; // ranks under a static order; if empty, jobs are in trace order
    SharedColumn<JobId> by_rank_;
    SharedColumn<JobId> backfill_rank_;
};

} // namespace slotwise
