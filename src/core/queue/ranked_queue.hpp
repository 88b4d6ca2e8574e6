// Waiting jobs in the order of a policy, for schedulers that go through all of them.
#pragma once

#include "order/order.hpp"
#include "replay/replay_jobs.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class RankedQueue {
  public:
    RankedQueue(const OrderSpec& spec, const ReplayJobs& jobs);

    // A copy for a replay over `jobs`, which holds the same jobs.
    RankedQueue(const RankedQueue& other, const OrderSpec& spec, const ReplayJobs& jobs);

    // Whether ranks change with time alone.
    bool drifts() const { return drifts_; }

    std::size_t size() const { return queue_.size(); }
    void add(JobId job);
    void remove(JobId job) { std::erase(queue_, job); }
    template <class Predicate> void remove_if(Predicate gone) { std::erase_if(queue_, gone); }

    // The jobs, first to start first, as of `now`; until the next change.
    std::span<const JobId> at(Time now);

    // Whether `a` comes before `b`; only where ranks do not drift.
    bool precedes(JobId a, JobId b) const { return rank_.empty() ? a < b : rank_[a] < rank_[b]; }

  private:
    struct Key {
        double score;
        JobId job;
    };

    const ReplayJobs* jobs_;
    std::unique_ptr<Order> order_;
    bool drifts_;
    std::vector<JobId> rank_;  // empty: the trace's own order, or scores drift
    std::vector<JobId> queue_; // by rank; where scores drift, by position in the trace
    std::vector<JobId> sorted_;
    std::vector<Key> keys_;
    std::vector<double> scores_;
};

} // namespace slotwise
