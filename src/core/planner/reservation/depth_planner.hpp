// Backfilling by reservations planned afresh each pass: `depth` and `replan`.
//
// Example, 10 processors, depth 2: A runs on 6 until 100 by its estimate. B (8 for 50 s) is
// reserved 100, C (10 for 10 s) 150. D (2 for 160 s) would leave B its 8, but not C its 10, and
// waits; under depth 1, which is `easy`, it starts.
#pragma once

#include "availability/profile.hpp"
#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "planner/scheduler.hpp"
#include "queue/ordered_queue.hpp"
#include "types.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotwise {

// In order, a job starts if it fits now and the plan (running jobs until their estimated ends, then
// reservations) has room for its whole length; the first `depth` that cannot are given a
// reservation at the earliest place. After the first blocked job the rest come in
// Policy::backfill_order. A reservation holds at least 1 s, so that a head of length 0 is protected
// as `easy` protects it; and within a pass a candidate that starts holds its processors for the
// length it was tried with, also where running jobs are believed otherwise.
class DepthPlanner final : public Scheduler {
  public:
    static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

    DepthPlanner(const ReplayContext& context, std::int64_t depth);
    DepthPlanner(const DepthPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override {
        return queue_.drifts() || backfill_ranking_.drifts() || estimates_.can_be_outlived() ||
               estimates_.change_at_start() || estimates_.waiting_drift() ||
               context_.policy.ending_now_is_free;
    }
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return estimates_.learns(); }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<DepthPlanner>(*this, context);
    }

  private:
    struct Span {
        Time from;
        Time to;
        ProcCount processors;
    };

    void finish(std::span<const JobId> ended);
    void enqueue(JobId job);
    std::size_t start_in_order();
    void backfill(std::size_t first_blocked);
    void measure_narrowest(std::size_t from);
    void start(JobId job, bool past_another, Duration planned);
    void unplan();
    void reserve(JobId job);

    ReplayContext context_;
    std::int64_t depth_;
    OrderedQueue queue_;
    JobRanking backfill_ranking_; // of the jobs behind the first blocked one
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    ProcCount free_;
    Profile plan_;                         // running jobs, and in a pass the reservations
    std::vector<std::uint8_t> is_waiting_; // by job

    // Of the present pass:
    Time now_ = 0;
    Starts* starts_ = nullptr;
    ProcCount available_ = 0;
    std::vector<JobId> tried_;         // the queue as this pass goes through it
    std::vector<ProcCount> narrowest_; // beside it: the fewest processors of a job from there on
    std::vector<Span>
        reserved_; // what leaves the plan when the pass ends, negative where it enters
};

} // namespace slotwise
