// Scheduling under contiguous allocation: `none`, `first-fit` and `easy` with consecutive nodes for
// each job.
//
// Example with 10 nodes, first fit: A runs on [0, 4) and B on [6, 8); they are estimated to end at
// 100 and 50. C, on 5 nodes, is the head: 4 nodes are free, but in slots of 2. At 50 the slot [4,
// 10) will be free, so C's reservation is [4, 9) from 50 onwards. D, on 2 nodes for 40 s, starts at
// 10 on [4, 6), because it ends by 50. E, on 1 node for 500 s, does not end by 50, but starts on
// [9, 10), which is outside [4, 9). F, on 2 nodes for 500 s, waits, because no 2 consecutive nodes
// are free outside the reserved interval.
#pragma once

#include "machine/torus/slots.hpp"
#include "machine/torus/torus.hpp"
#include "planner/scheduler.hpp"
#include "planner/torus/interval_reservation.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

// The head's reservation is computed again after the running jobs or their estimates have changed.
class ContiguousPlanner final : public Scheduler {
  public:
    // Requires that Policy::backfill is none, first-fit or easy.
    explicit ContiguousPlanner(const ReplayContext& context);
    ContiguousPlanner(const ContiguousPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override {
        return queue_.drifts() || estimates().waiting_drift() || estimates().can_be_outlived();
    }
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return estimates().learns(); }
    void cancel(JobId job) override;
    bool places_jobs() const override { return true; }
    const Slots* slots() const override { return &slots_; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<ContiguousPlanner>(*this, context);
    }

  private:
    ContiguousPlanner(const ReplayContext& context, const PlanRule& rule);

    const RunTimeEstimates& estimates() const { return reservation_.estimates(); }

    void enqueue(JobId job);
    void leave(JobId job);
    NodeInterval find(NodeCount nodes) const;
    void start(JobId job, NodeInterval nodes, bool past_the_head);
    void start_from_the_front();
    void pass_the_head();
    void hold_reservation_of(JobId head);

    ReplayContext context_;
    bool others_pass_; // true if jobs behind the head may start
    bool reserves_;    // true if the head's reservation decides which of them may start
    OrderedQueue queue_;
    // The waiting jobs in backfill order, if that order differs from the order of the queue.
    std::optional<OrderedQueue> candidates_;
    Slots slots_;
    IntervalReservation reservation_;
    JobId reserved_for_ = kNoJob;
    bool reservation_stale_ = true; // running jobs or their estimates have changed

    // State of the current pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    std::vector<JobId> tried_;
};

} // namespace slotwise
