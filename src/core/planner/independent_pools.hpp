// Pools that have nothing to do with each other: a plain scheduler for each.
#pragma once

#include "admission/routing.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

// Where each queue has one pool, all queues of a pool are one queue in all but name, and no rule
// reaches further, PoolsPlanner would do in each pool what the plain scheduler of Policy::backfill
// does on a machine of its size: this has it done so, which is faster.
class IndependentPools final : public Scheduler {
  public:
    // Whether a completed site is of that kind.
    static bool fits(const Site& site);

    // Of such a site: what the planner of each pool is made of. Immutable.
    struct Layout {
        explicit Layout(const Site& site);

        std::vector<PoolId> pool_of;  // by queue
        std::vector<Policy> policies; // by pool
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
        // Of the present pass:
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
    std::vector<Part> parts_;     // by pool
    std::vector<ProcCount> free_; // by pool
    bool drifts_ = false;
    std::vector<PoolId> touched_; // in the present pass
};

} // namespace slotwise
