// Nodes for the jobs of a scheduler that only counts processors.
#pragma once

#include "machine/torus/slots.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <memory>

namespace slotwise {

// Stands between the loop and the scheduler it owns, to which any free nodes are the same. Gives
// nodes to each job that starts, by Allocation::first or least_spread.
class TorusAllocator final : public Scheduler {
  public:
    TorusAllocator(const ReplayContext& context, std::unique_ptr<Scheduler> planner);
    TorusAllocator(const TorusAllocator& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return planner_->drifts(); }
    std::size_t queued() const override { return planner_->queued(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return planner_->remembers(); }
    void describe(Schedule& schedule) const override { planner_->describe(schedule); }
    void hold(JobId job) override;
    void release(JobId job) override;
    void cancel(JobId job) override;
    bool knows_held() const override { return planner_->knows_held(); }
    bool can_repeat_pass() const override { return planner_->can_repeat_pass(); }
    bool places_jobs() const override { return true; }
    const Slots* slots() const override { return &slots_; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<TorusAllocator>(*this, context);
    }

  private:
    ReplayContext context_;
    std::unique_ptr<Scheduler> planner_;
    Slots slots_;
};

// Wraps `planner` in an allocator, if the machine has nodes and `planner` does not place its jobs.
std::unique_ptr<Scheduler> placed(const ReplayContext& context, std::unique_ptr<Scheduler> planner);

} // namespace slotwise
