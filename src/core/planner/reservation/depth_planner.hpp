// Backfilling with reservations, on any kind of plan. It implements `depth` and `replan`. For
// machines with nodes, and for consecutive nodes on a torus, it also implements `none`, `first-fit`
// and `easy`.
//
// Example with 10 processors and depth 2: A runs on 6 until 100 according to its estimate. B (8
// processors for 50 s) has a reservation at 100, and C (10 for 10 s) at 150. D (2 for 160 s) waits:
// it would not delay B, but it would delay C. With depth 1, which is `easy`, D starts.
//
// Example with two nodes of 4 cores, of which one has a GPU: A runs on 2 cores of the GPU node
// until 100. B requests 4 cores and the GPU, so the GPU node is reserved for B from 100 onwards. C
// (2 cores for 200 s) starts on the other node. D (2 cores for 50 s) may use the GPU node, because
// it ends before 100. E (2 cores for 200 s) may not.
#pragma once

#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/reservation/plans/interval_job_plan.hpp"
#include "planner/reservation/plans/node_job_plan.hpp"
#include "planner/reservation/plans/plan.hpp"
#include "planner/reservation/plans/processor_plan.hpp"
#include "planner/scheduler.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

// Determines which reservations a DepthPlanner makes.
struct DepthRule {
    std::int64_t depth;
    bool others_pass = true; // if false, the pass ends at the first job that cannot start
};

// Jobs are tried in order. A job starts if it fits into the plan now and for its whole length. The
// plan contains the running jobs until their estimated ends, and the reservations. The first
// `depth` jobs that cannot start get reservations at their earliest possible starts. After the
// first blocked job, the other jobs are tried in the order of Policy::backfill_order. A reservation
// lasts at least 1 s, so that a head of length 0 is protected as under the `easy` rule. A candidate
// is tried with the length assumed for waiting jobs. If it starts, it is planned for this length
// until the pass ends, even if another length is assumed for running jobs.
//
// Some plans keep their reservations between passes. A pass then examines only new jobs, as long as
// no job ends and every new job ranks behind the jobs with reservations.
template <Plan P> class DepthPlanner final : public Scheduler {
  public:
    DepthPlanner(const ReplayContext& context, const DepthRule& rule, P plan);
    DepthPlanner(const DepthPlanner& other, const ReplayContext& context);

    const P& plan() const { return plan_; }

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override {
        return queue_.drifts() || (candidates_ && candidates_->drifts()) ||
               estimates_.can_be_outlived() || estimates_.change_at_start() ||
               estimates_.waiting_drift() || context_.policy.ending_now_is_free;
    }
    std::size_t queued() const override { return queue_.size(); }
    void describe(Schedule& schedule) const override {
        if constexpr (requires { plan_.places(); }) schedule.places = plan_.places();
    }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return estimates_.learns(); }
    bool places_jobs() const override { return kPlacesJobs; }
    const Slots* slots() const override {
        if constexpr (kPlacesJobs)
            return &plan_.slots();
        else
            return nullptr;
    }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<DepthPlanner>(*this, context);
    }

  private:
    // True if the plan assigns an interval of nodes to each job that starts.
    static constexpr bool kPlacesJobs = requires(const P& plan) { plan.slots(); };

    struct Reservation {
        JobId job;
        Time from;
        Time to;
        [[no_unique_address]] typename P::Hold hold;
    };

    Duration at_least(Duration length) const { return std::max<Duration>(length, P::kLeastLength); }
    void finish(std::span<const JobId> ended);
    void enqueue(JobId job);
    bool only_arrivals_matter(const Instant& instant) const;
    void try_all();
    void try_arrivals(std::span<const JobId> arrived);
    JobId start_in_order();
    void backfill(JobId head, std::span<const JobId> others);
    bool try_behind(JobId job);
    void start(JobId job, bool past_another, Duration planned);
    void reserve(JobId job);
    void withdraw();
    void remove_started();
    bool reserves() const { return static_cast<std::int64_t>(reserved_.size()) < rule_.depth; }

    ReplayContext context_;
    DepthRule rule_;
    OrderedQueue queue_;
    // The waiting jobs in backfill order, if that order differs from the order of the queue.
    std::optional<OrderedQueue> candidates_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    P plan_; // running jobs, and reservations
    std::vector<Reservation> reserved_;
    JobId last_blocked_ = kNoJob;          // the last job, in order, that blocks other jobs
    std::vector<std::uint8_t> is_waiting_; // indexed by job

    // State of the current pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    std::vector<JobId> arrivals_;
    std::vector<JobId> started_;
};

extern template class DepthPlanner<ProcessorPlan>;
extern template class DepthPlanner<NodeJobPlan>;
extern template class DepthPlanner<IntervalJobPlan>;

} // namespace slotwise
