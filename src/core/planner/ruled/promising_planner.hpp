// A planner for conservative backfilling in one pool that has limits or recurring maintenance
// windows. It produces the same schedule as PoolsPlanner, but faster.
//
// Example: there is a maintenance window from 100 to 180. A job of 60 seconds that arrives at 50 is
// promised a start at 180, however many processors are free.
#pragma once

#include "admission/routing.hpp"
#include "planner/pools/patience.hpp"
#include "planner/reservation/conservative_planner.hpp"
#include "planner/ruled/maintenance_windows.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotwise {

class PromisingPlanner final : public Scheduler {
  public:
    // Returns true if this planner produces the same schedule as the general planner.
    static bool fits(const ReplayContext& context);

    // Requires fits(context).
    explicit PromisingPlanner(const ReplayContext& context);
    PromisingPlanner(const PromisingPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return false; }
    std::size_t queued() const override { return planner_.queued(); }
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<PromisingPlanner>(*this, context);
    }
    void describe(Schedule& schedule) const override;
    std::vector<ProcCount> free_in_pools() const override;
    QueueId queue_number(JobId job) const override { return context_.routing->queue_of[job]; }
    PoolId pool_number(JobId job) const override {
        return context_.schedule.start[job] == kNotStarted ? kAnyPool : PoolId{0};
    }
    void cancel(JobId job) override;

  private:
    ReplayContext context_;
    std::optional<MaintenanceWindows> windows_;
    ConservativePlanner planner_;
    Patience patience_;
    ProcCount free_;
    std::size_t n_running_ = 0;
};

} // namespace slotwise
