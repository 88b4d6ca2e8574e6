// Conservative backfilling: on arrival, every job is promised a start time, and no promise is
// broken while estimates hold.
//
// Example, 10 processors: A runs on 6 until 100 by its estimate, B (8 for 50 s) is promised 100, C
// (4 for 200 s) may not delay B and is promised 150, and D (4 for 90 s) starts at once. A ends at
// 40: B moves to 90, where D ends, then C to 140.
//
// D. Feitelson, A. Mu'alem Weil, "Utilization and predictability in scheduling the IBM SP2 with
// backfilling", IPPS 1998.
#pragma once

#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/reservation/announced_windows.hpp"
#include "planner/reservation/promise_gates.hpp"
#include "planner/reservation/promise_plan.hpp"
#include "planner/scheduler.hpp"
#include "queue/job_ranking.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace slotwise {

// A promise has the length estimated when the job arrives (Policy::estimates, at least 1 s), and
// the job keeps that estimate when it starts. One pass:
//   1. running jobs that outlived their estimate are corrected; promises that become infeasible are
//      placed again;
//   2. if a job ended before its estimate: the sweep moves each promise, in policy order, to the
//      earliest place open to it;
//   3. each arrival is promised the earliest place; 4. promises that fall due start.
// Under limits, the pass is repeated until no job starts (conservative_limits.cpp).
// With Policy::promise_per_arrival step 3 comes first, in the plan as it was when the job arrived;
// with compress_at_every_end there is a sweep after any end. Policy::waiting_estimates has no
// effect here: a job starts with the length of its promise.
class ConservativePlanner final : public Scheduler {
  public:
    explicit ConservativePlanner(const ReplayContext& context);
    ConservativePlanner(const ConservativePlanner& other, const ReplayContext& context);

    // Before any pass: plans around announced windows.
    void plan_around(const AnnouncedWindows& windows) { announced_ = windows; }

    // Before any pass: promises starts only to jobs that limits allow to start. Requires fixed
    // ranks, passes at every instant and the default promises.
    void keep_limits(PromiseGates gates) {
        gates_ = std::move(gates);
        plan_.expect_changes();
    }

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return estimates_.can_be_outlived(); }
    std::size_t queued() const override {
        return plan_.promises().size() + (gates_ ? gates_->n_aside() : 0);
    }
    void take_over(const Underway& underway) override;
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<ConservativePlanner>(*this, context);
    }

  private:
    Time real_end(JobId job) const {
        return context_.schedule.start[job] + context_.jobs.run_time[job];
    }
    std::span<const JobId> promise_between_ends(const Instant& instant);
    void finish(std::span<const JobId> ended);
    void correct_estimates();
    void restore(Time from, Time to);
    void sweep();
    Time earliest(ProcCount processors, Duration duration);
    void promise(std::span<const JobId> arrived);
    Time promise(JobId job);
    void start_due(Starts& starts);
    void plan_under_limits(const Instant& instant, Starts& starts);
    void promise_allowed();
    void withdraw_held_back();
    void rank_by_score();

    ReplayContext context_;
    JobRanking ranking_;
    JobId next_rank_ = 0; // if scores drift: above every rank given so far
    StartGrid grid_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;

    ProcCount free_;   // free now, after the ends handled so far
    PromisePlan plan_; // and announced windows as far ahead as its promises
    AnnouncedWindows announced_;
    bool gave_up_ = false;              // a promise was given up since the last compression
    std::optional<PromiseGates> gates_; // if there are limits

    // State of the current pass:
    Time now_ = 0;
    bool ended_early_ = false;
    JobId left_rank_ = kNoJob; // rank of the first job whose promise would be withdrawn at once
    std::vector<PromiseQueue::Position> touched_;
    std::vector<JobId> jobs_;
};

} // namespace slotwise
