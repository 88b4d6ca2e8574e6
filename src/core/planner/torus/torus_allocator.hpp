// Assigns nodes to jobs on behalf of a scheduler that only counts processors.
#pragma once

#include "machine/torus/slots.hpp"
#include "planner/dispatch_log.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// A layer between the event loop and a scheduler that does not distinguish between free nodes. The
// layer owns this scheduler. It assigns nodes to each job that starts, by Allocation::first or
// least_spread. If an outage takes some processors without specifying nodes, the free nodes with
// the highest positions become unavailable.
//
// Example with 10 nodes: a job runs on [0, 4), and an outage of 3 nodes begins. Nodes [7, 10) are
// unavailable until the outage is over. A job that starts in the meantime gets nodes from [4, 7).
class TorusAllocator final : public Scheduler {
  public:
    TorusAllocator(const ReplayContext& context, std::unique_ptr<Scheduler> planner);
    TorusAllocator(const TorusAllocator& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return planner_->drifts(); }
    std::size_t queued() const override { return planner_->queued(); }
    Time next_change() const override { return planner_->next_change(); }
    void follow(const Instant& instant, Starts& starts) override;
    void take_over(const Underway& underway) override;
    bool remembers() const override { return planner_->remembers(); }
    void describe(Schedule& schedule) const override { planner_->describe(schedule); }
    void hold(JobId job) override;
    void release(JobId job) override;
    void cancel(JobId job) override;
    bool knows_held() const override { return planner_->knows_held(); }
    void reorder(JobId job, const std::function<void()>& change) override;
    void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                       std::span<const JobId> running) override;
    std::vector<ProcCount> free_in_pools() const override { return planner_->free_in_pools(); }
    QueueId queue_number(JobId job) const override { return planner_->queue_number(job); }
    PoolId pool_number(JobId job) const override { return planner_->pool_number(job); }
    bool asks_again() const override { return planner_->asks_again(); }
    const DispatchLog* dispatch_log() const override { return planner_->dispatch_log(); }
    void follow_log(DispatchLog past) override { planner_->follow_log(std::move(past)); }
    bool can_repeat_pass() const override { return planner_->can_repeat_pass(); }
    bool places_jobs() const override { return true; }
    const Slots* slots() const override { return &slots_; }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<TorusAllocator>(*this, context);
    }

  private:
    template <class Step>
    void release_around(const Instant& instant, const Starts& starts, Step&& step);
    void settle_absent();

    ReplayContext context_;
    std::unique_ptr<Scheduler> planner_;
    Slots slots_;
    // Unavailable nodes, in the order in which the calendar took them out of service.
    std::vector<NodeInterval> away_;
};

// Wraps `planner` in an allocator if the machine has nodes and `planner` does not place its jobs
// itself.
std::unique_ptr<Scheduler> placed(const ReplayContext& context, std::unique_ptr<Scheduler> planner);

} // namespace slotwise
