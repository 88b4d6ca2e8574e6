// Runs one plain scheduler for each independent pool. The schedule is the same as that of
// PoolsPlanner, but it is computed faster.
#pragma once

#include "admission/routing.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Pools are independent if each queue has one pool, all queues of a pool act as one queue, and no
// rule spans several pools. A plain scheduler with the same backfill rule, on a machine of the
// pool's size, then starts the same jobs as PoolsPlanner would.
class IndependentPools final : public Scheduler {
  public:
    // Returns true if all pools of the site are independent. `site` must come from completed().
    static bool fits(const Site& site);

    // The immutable inputs of the planners of a site with independent pools.
    struct Layout {
        explicit Layout(const Site& site);

        std::vector<PoolId> pool_of;  // one element per queue
        std::vector<Policy> policies; // one element per pool
        std::vector<ProcCount> processors;
    };

    IndependentPools(const ReplayContext& context, std::shared_ptr<const Routing> routing);
    IndependentPools(const IndependentPools& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return drifts_; }
    std::size_t queued() const override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<IndependentPools>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override { return free_; }
    QueueId queue_number(JobId job) const override { return routing_->queue_of[job]; }
    PoolId pool_number(JobId job) const override { return pool_of(job); }
    void hold(JobId job) override { part_of(job).scheduler->hold(job); }
    void cancel(JobId job) override { part_of(job).scheduler->cancel(job); }

  private:
    struct Part {
        std::unique_ptr<Scheduler> scheduler;
        bool drifts;
        // State of the current pass:
        bool is_touched = false;
        std::vector<JobId> ended;
        std::vector<JobId> arrived;
    };

    PoolId pool_of(JobId job) const { return layout_->pool_of[routing_->queue_of[job]]; }
    void pass_in_parts(const Instant& instant, Starts& starts);
    void note_due(bool any);
    Part& touch(PoolId pool);
    Part& part_of(JobId job) { return parts_[pool_of(job)]; }

    ReplayContext context_;
    std::shared_ptr<const Routing> routing_;
    std::shared_ptr<const Layout> layout_;
    std::vector<Part> parts_;     // one element per pool
    std::vector<ProcCount> free_; // one element per pool
    bool drifts_ = false;
    std::vector<PoolId> touched_; // pools touched in the current pass
};

} // namespace slotwise
