// Conservative backfilling on nodes with several resources.
//
// Each job is promised a time and places on arrival. When a job ends before its estimate every
// promise, in order, is taken out and put back at the earliest place; it never moves later.
// Example: one node of 4 cores. A runs on 3 until 100; B (4 cores) is promised 100, C (2 cores for
// 10 s) 100 + the length of B. A ends at 40: B is put at 40, then C right after it.
#pragma once

#include "schedule/node_scheduler.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class NodeConservative final : public NodeScheduler {
  public:
    NodeConservative(const ReplayContext& context, std::shared_ptr<const NodeJobs> jobs);
    NodeConservative(const NodeConservative& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return false; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<NodeConservative>(*this, context);
    }

  private:
    void compress(Time now);
    void promise(JobId job, Time start);
    void start_due(Time now, Starts& starts);

    std::vector<Time> start_; // promised, by job; kNever: none
    std::vector<std::vector<Place>> places_of_promise_;
    std::vector<JobId> arrivals_;
};

} // namespace slotwise
