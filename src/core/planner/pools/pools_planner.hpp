// The scheduler for sites with pools, queues and limits (see docs/concepts/queues-and-pools.md).
//
// This class controls the pass: the order in which events are handled, and which clusters are
// planned again. Its components do everything else. Each component refers only to components that
// are declared before it.
#pragma once

#include "planner/dispatch_log.hpp"
#include "planner/pools/job_transitions.hpp"
#include "planner/pools/patience.hpp"
#include "planner/pools/pool_calendar.hpp"
#include "planner/pools/pool_dispatch.hpp"
#include "planner/pools/pool_events.hpp"
#include "planner/pools/pool_lines.hpp"
#include "planner/pools/pool_set.hpp"
#include "planner/pools/pool_sweep.hpp"
#include "planner/pools/pools_context.hpp"
#include "planner/pools/promise_book.hpp"
#include "planner/pools/spanning_jobs.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

class PoolsPlanner final : public Scheduler {
  public:
    // `dispatcher` chooses the jobs to start, unless it is null.
    PoolsPlanner(const ReplayContext& context, std::shared_ptr<const Routing> routing,
                 std::shared_ptr<Dispatcher> dispatcher = {});
    PoolsPlanner(const PoolsPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    Time next_change() const override;
    void follow(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return drifts_ && !dispatch_.asks() && !gives_up(); }
    std::size_t queued() const override { return context_.eligibility.n_free(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<PoolsPlanner>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override { return pools_.free_in_each(); }
    void hold(JobId job) override;
    void release(JobId job) override;
    void cancel(JobId job) override;
    void note_withdrawn(JobId job, Time now, bool has_run) override;
    bool knows_held() const override { return true; }
    const DispatchLog* dispatch_log() const override { return &dispatch_.log(); }
    void follow_log(DispatchLog past) override { dispatch_.follow_log(std::move(past)); }
    QueueId queue_number(JobId job) const override { return context_.routing->queue_of[job]; }
    PoolId pool_number(JobId job) const override { return pools_.pool_of(job); }
    bool places_jobs() const override { return pools_.machine().intervals() != nullptr; }
    const Slots* slots() const override {
        return places_jobs() ? &pools_.machine().intervals()->slots() : nullptr;
    }
    ProcCount absent() const override { return pools_.outages().absent(); }
    bool can_repeat_pass() const override { return dispatch_.is_asking(); }
    bool asks_again() const override { return dispatch_.asks_again(); }
    void reorder(JobId job, const std::function<void()>& change) override;
    void change_policy(const std::shared_ptr<Dispatcher>& dispatcher,
                       std::span<const JobId> running) override;

  private:
    using Cluster = PoolsLayout::Cluster;

    void follow_ends(const Instant& instant, Starts& starts);
    void arrive(std::span<const JobId> arrived);
    bool may_drift() const;
    bool lists_waiting() const;
    void ask_outside();
    void note_passing_time();
    void plan(std::size_t at, std::span<const JobId> arrived);
    bool settle(const Cluster& cluster, std::span<const JobId> arrived);
    void keep_promises(const Cluster& cluster);
    void start_due(const Cluster& cluster);
    bool redeem(JobId job, PoolId pool);
    bool forget_touched(bool had_waiting);
    Time next_instant();

    // Returns true if no job is running, and it is assumed that no waiting job will ever start.
    bool gives_up() const { return pools_.n_running() == 0 && patience_.is_over(context_.now); }

    PoolsContext context_;
    PoolEvents events_;
    PoolSet pools_;
    PoolLines lines_;
    PromiseBook promises_;
    JobTransitions transitions_;
    SpanningJobs spanning_;
    PoolCalendar calendar_;
    PoolSweep sweep_;
    PoolDispatch dispatch_;
    Patience patience_;
    bool drifts_;
    Time next_opening_ = kNever; // next time at which a queue opens
    // Used by start_due(): for each pool, 1 if a job earlier in the order is still waiting for it.
    std::vector<std::uint8_t> is_passed_;
};

} // namespace slotwise
