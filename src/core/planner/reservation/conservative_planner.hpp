// Conservative backfilling: every job is promised a start time when it arrives, and every promise
// is kept as long as the estimates are correct.
//
// Example with 10 processors: A runs on 6 until 100 according to its estimate. B (8 processors for
// 50 s) is promised a start at 100. C (4 for 200 s) may not delay B, and is promised a start at
// 150. D (4 for 90 s) starts immediately, at time 0. A ends early, at 40. B then moves to 90, when
// D ends, and C moves to 140.
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

// A promise has the length that was estimated when the job arrived (Policy::estimates, at least 1
// s), and the job keeps this estimate when it starts. A pass has these steps:
//   1. Running jobs that have exceeded their estimates get new ones. Promises that no longer fit
//      are placed again.
//   2. If a job has ended before its estimated end, a sweep moves each promise, in policy order, to
//      the earliest start that is possible for it.
//   3. Each job that arrives is promised the earliest possible start.
//   4. Jobs whose promised start has come are started.
// Under limits, the pass is repeated until no job starts (conservative_limits.cpp). With
// Policy::promise_per_arrival, step 3 comes first, and uses the plan as it was when the job
// arrived. With compress_at_every_end, a sweep follows every end of a job.
// Policy::waiting_estimates has no effect here: a job starts with the length of its promise.
class ConservativePlanner final : public Scheduler {
  public:
    explicit ConservativePlanner(const ReplayContext& context);
    ConservativePlanner(const ConservativePlanner& other, const ReplayContext& context);

    // Adds announced windows to the plan. Must be called before the first pass.
    void plan_around(const AnnouncedWindows& windows) { announced_ = windows; }

    // Promises starts only to jobs that the limits allow to start. Must be called before the first
    // pass. Requires fixed ranks, passes at every instant, and default settings for promises.
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
    JobId next_rank_ = 0; // a rank above all ranks so far; used if scores change over time
    StartGrid grid_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;

    ProcCount free_;   // processors free now, ignoring job ends that are not yet handled
    PromisePlan plan_; // contains announced windows as far ahead as promises reach
    AnnouncedWindows announced_;
    bool gave_up_ = false; // a promise was withdrawn, or not made, since the last compression
    std::optional<PromiseGates> gates_; // set only if there are limits

    // State of the current pass:
    Time now_ = 0;
    bool ended_early_ = false;
    JobId left_rank_ = kNoJob; // rank of the first job that gets no promise in this pass
    std::vector<PromiseQueue::Position> touched_;
    std::vector<JobId> jobs_;
};

} // namespace slotwise
