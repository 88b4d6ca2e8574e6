// The ranks of jobs under an order. If scores are static, the ranks are fixed; if scores change
// over time, jobs are sorted anew at each instant.
#pragma once

#include "order/order.hpp"
#include "queue/order_ranks.hpp"
#include "replay/replay_jobs.hpp"
#include "types.hpp"

#include <span>
#include <vector>

namespace slotwise {

// Higher scores come first. Jobs with equal scores keep the order of the trace.
class JobRanking {
  public:
    JobRanking(const OrderSpec& spec, const ReplayJobs& jobs);

    // Copies the ranks for use with `jobs`, which is a copy of the jobs that `other` reads.
    JobRanking(const JobRanking& other, const OrderSpec& spec, const ReplayJobs& jobs);

    const Order& order() const { return ranks_.order(); }

    // Returns true if scores change over time. Ranks are then positions in the trace.
    bool drifts() const { return ranks_.drifts(); }
    JobId rank_of(JobId job) const { return ranks_.rank_of(job); }
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
    OrderRanks ranks_;
    std::vector<double> scores_;
    std::vector<Scored> scored_;
};

} // namespace slotwise
