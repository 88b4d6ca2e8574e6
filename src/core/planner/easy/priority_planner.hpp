// Implements `none`, `first-fit` and `easy` for a queue that a user reorders with manual
// priorities.
//
// Example with 4 processors: A runs on all 4; B (4 processors), C (2) and D (2) are waiting.
// reorder(C, priority = 1) puts C first: C starts when A ends, and D then passes the head B.
#pragma once

#include "estimates/estimated_ends.hpp"
#include "estimates/run_time_estimates.hpp"
#include "order/order.hpp"
#include "planner/easy/easy_jobs.hpp"
#include "planner/easy/easy_reservation.hpp"
#include "planner/easy/easy_rules.hpp"
#include "planner/easy/keyed_queue.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <functional>
#include <memory>
#include <span>

namespace slotwise {

// The schedule is the same as that of EasyPlanner with the same order wrapped in manual_before().
// EasyPlanner ranks the whole trace once. This planner instead moves a reordered job within the
// queue, in time linear in the length of the queue.
class PriorityPlanner final : public Scheduler {
  public:
    // Returns true if manual priorities come first, the machine is defined only by a processor
    // count, the order is static, and neither estimates nor reservations depend on what happened
    // earlier.
    static bool fits(const ReplayContext& context);

    // Requires fits(context).
    explicit PriorityPlanner(const ReplayContext& context);
    PriorityPlanner(const PriorityPlanner& other, const ReplayContext& context);

    // Takes over the state of an EasyPlanner in constant time. That planner must have the same
    // policy without manual priorities. Requires fits(context).
    template <class Rules>
    PriorityPlanner(const ReplayContext& context, const RunTimeEstimates& estimates,
                    const EstimatedEnds& ends, const EasyJobs<Rules>& jobs,
                    const EasyReservation<Rules>& reservation)
        : context_(context), rules_(rules_under(context)), estimates_(estimates), ends_(ends),
          jobs_(jobs, context_, rules_, estimates_),
          reservation_(reservation, context_, rules_, jobs_) {
        estimates_.rebind(context_);
        ends_.rebind(context_);
    }

    // Adds waiting jobs to the queue.
    void take_queue(std::span<const JobId> waiting) {
        for (const JobId job : waiting)
            enqueue(job);
    }

    void pass(const Instant& instant, Starts& starts) override;
    bool drifts() const override { return !rules_.plain; }
    std::size_t queued() const override { return queue_.size(); }
    void take_over(const Underway& underway) override;
    bool remembers() const override { return false; }
    void cancel(JobId job) override;
    bool reorders() const override { return true; }
    void reorder(JobId job, const std::function<void()>& change) override;
    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<PriorityPlanner>(*this, context);
    }

  private:
    PriorityPlanner(const ReplayContext& context, std::unique_ptr<Order> order);
    static EasyRules rules_under(const ReplayContext& context);

    KeyedQueue::Key key_of(JobId job) const {
        return {context_.jobs.manual_priority(job), jobs_.rank_of(job)};
    }
    void enqueue(JobId job);
    void occupy(JobId job, Time start);
    void end(JobId job);
    void correct_estimates();
    std::size_t start_at(std::size_t position, bool past_the_head, Starts& starts);

    ReplayContext context_;
    EasyRules rules_;
    RunTimeEstimates estimates_;
    EstimatedEnds ends_;
    EasyJobs<EasyRules> jobs_; // ranks without manual priorities
    EasyReservation<EasyRules> reservation_;
    KeyedQueue queue_;
};

} // namespace slotwise
