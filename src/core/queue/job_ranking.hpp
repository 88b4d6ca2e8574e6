// Ranks of jobs under an order: fixed where scores stay, computed per instant where they drift.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// Higher scores come first; of equal scores, the job that comes first in the trace.
class JobRanking {
  public:
    JobRanking(const OrderSpec& spec, const ReplayJobs& jobs);

    // The same ranks over `jobs`, a copy of those `other` reads.
    JobRanking(const JobRanking& other, const OrderSpec& spec, const ReplayJobs& jobs);

    const Order& order() const { return *order_; }

    // True if scores change as time passes; ranks are then positions in the trace.
    bool drifts() const { return drifts_; }
    JobId rank_of(JobId job) const { return rank_.empty() ? job : rank_[job]; }
    bool precedes(JobId a, JobId b) const { return rank_of(a) < rank_of(b); }

    // Sorts `jobs` by their scores at `now`.
    void sort(std::span<JobId> jobs, Time now);

  private:
    struct Scored {
        double score;
        JobId job;
    };

    void sort_by_score(std::span<JobId> jobs, Time now);

    const ReplayJobs* jobs_;
    std::unique_ptr<Order> order_;
    bool drifts_;
    std::vector<JobId> rank_; // empty: the trace's own
    std::vector<double> scores_;
    std::vector<Scored> scored_;
};

} // namespace slotwise
