// Starts jobs in order up to the head, which is the first job that does not fit, and then starts
// jobs that may pass the head. This planner implements `none`, `first-fit`, `easy` and `relaxed`,
// which differ only in their rules for passing the head.
//
// Example with 10 processors: A runs on 6 processors and is estimated to end at 100. B, on 8
// processors, is the head: its shadow time is 100, and 2 extra processors will be left then. C, on
// 4 processors for 90 s, starts at 10, because it will end by the shadow time. D, on 2 processors
// for 500 s, would end after the shadow time, but would fit on the extra processors. It would start
// now if C had not taken the last free processors. E, on 3 processors for 500 s, needs more than
// the extra processors, so it must wait behind B.
#pragma once

#include "containers/rank_set.hpp"
#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "order/order.hpp"
#include "planner/easy/easy_candidates.hpp"
#include "planner/easy/easy_jobs.hpp"
#include "planner/easy/easy_reservation.hpp"
#include "planner/easy/easy_rules.hpp"
#include "planner/easy/easy_size_search.hpp"
#include "planner/scheduler.hpp"
#include "queue/linear_score_queue.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotwise {

// `Rules` is EasyRules or EasyInTraceOrder.
template <class Rules> class EasyPlanner final : public Scheduler {
  public:
    EasyPlanner(const ReplayContext& context, const EasyRules& rules, std::unique_ptr<Order> order,
                std::unique_ptr<Order> behind);
    EasyPlanner(const EasyPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return !rules_.plain || !rules_.is_ranked; }
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return rules_.fixed_deadline || estimates_.learns(); }
    void cancel(JobId job) override;
    std::unique_ptr<Scheduler> with_priorities(const ReplayContext& context,
                                               std::span<const JobId> waiting) const override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<EasyPlanner>(*this, context);
    }

    // Returns false if estimates change over time, because all jobs that end at the same instant
    // must then be handled together.
    bool runs_by_parts() const { return !rules_.estimates_drift; }

    // The following functions are the parts of a pass. The plain event loop calls them.
    void begin(Time now, Starts& starts) {
        reservation_.advance(now);
        starts_ = &starts;
    }
    void end(JobId job);                                       // records the end of a job
    void plan(bool any_ended, std::span<const JobId> arrived); // starts all jobs that may start now

  private:
    using Form = typename EasyCandidates<Rules>::Form;
    struct Scored {
        double score;
        JobId job;
    };

    Time end_of(JobId job) const { // valid only for running jobs
        return rules_.takes_requests
                   ? context_.schedule.start[job] + context_.jobs.requested_time[job]
                   : ends_.of(job, estimates_);
    }

    JobId first_waiting() {
        return rules_.moves ? moving_->first(reservation_.now()) : jobs_.at_rank(queue_.first());
    }
    bool head_is_first() {
        return !rules_.moves || moving_->first(reservation_.now()) == reservation_.head();
    }
    bool stays_behind_head(JobId job) {
        if (!rules_.moves) return jobs_.rank_of(job) > jobs_.rank_of(reservation_.head());
        return head_is_first() && !moving_->would_be_first(job, reservation_.now());
    }

    void update_estimates(std::span<const JobId> ended);
    bool correct_estimates();
    void enqueue(JobId job);
    void leave(JobId job);
    void start(JobId job, bool past_the_head);
    void start_waiting(JobId job, bool past_the_head);

    void start_from_the_front();
    void start_from_the_front_by_score();
    bool start_head(JobId job);
    void try_arrival(JobId job);
    void pass_the_head();
    void fill();
    void fill_short(std::size_t slot);
    void fill_short_by_score(std::size_t slot);
    void fill_rows(std::size_t group);
    void fill_grid(JobId rank);
    void fill_moving();
    void try_by_score(std::vector<JobId>& jobs);
    void fill_by_score();
    void list_scored(const std::vector<JobId>& jobs);

    ReplayContext context_;
    [[no_unique_address]] Rules rules_;
    std::unique_ptr<Order> order_;
    std::unique_ptr<Order> backfill_order_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    EasyJobs<Rules> jobs_;

    std::optional<LinearScoreQueue> moving_; // waiting jobs, if the order has linear scores
    RankSet queue_; // waiting jobs by rank, or by position in the trace if scores change over time
    EasyCandidates<Rules> candidates_; // waiting jobs, stored for backfilling
    EasyReservation<Rules> reservation_;
    EasySizeSearch<Rules> search_;
    // The waiting jobs of each user, and perhaps jobs that have left the queue. Used only if
    // estimates of waiting jobs change over time.
    std::unordered_map<std::int32_t, std::vector<JobId>> waiting_by_user_;

    // State of the current pass:
    Starts* starts_ = nullptr;
    bool only_old_ = false; // true if no job has arrived in this pass
    std::vector<JobId> scratch_jobs_;
    std::vector<double> scratch_scores_;
    std::vector<Scored> scored_;
};

// Creates the planner that implements `rule` on a pool of processors.
template <HeadRule rule>
std::unique_ptr<Scheduler> make_easy_planner(const ReplayContext& context) {
    auto order = make_order(context.policy.order);
    auto behind = make_order(context.policy.order_behind_head());
    const EasyRules rules(rule, context, *order, *behind);
    const auto made = [&]<class Rules>(std::type_identity<Rules>) -> std::unique_ptr<Scheduler> {
        return std::make_unique<EasyPlanner<Rules>>(context, rules, std::move(order),
                                                    std::move(behind));
    };
    if constexpr (rule == kEasy)
        if (EasyInTraceOrder::are(rules)) return made(std::type_identity<EasyInTraceOrder>{});
    return made(std::type_identity<EasyRules>{});
}

} // namespace slotwise
