// RuledPlanner: the sites that it suits, and changes that are made between passes.
#include "order/user_order.hpp"
#include "planner/ruled/one_queue.hpp"
#include "planner/ruled/ruled_planner.hpp"

#include <limits>

namespace slotwise {

bool RuledPlanner::fits(const ReplayContext& context) {
    if (context.policy.backfill != "easy" || !has_default_switches(context) ||
        context.jobs.size() >= std::numeric_limits<std::int32_t>::max())
        return false;
    const std::unique_ptr<Order> order = make_order(context.policy.order);
    if (!context.routing) return as_user_order(*order) != nullptr;
    return (order->is_static() || order->has_linear_scores() || as_user_order(*order) != nullptr) &&
           is_one_queue(context.site, *order) && MaintenanceWindows::fits(context.site);
}

void RuledPlanner::take_over(const Underway& underway) {
    now_ = underway.now;
    for (const JobId job : underway.running) {
        const ProcCount processors = context_.jobs.processors[job];
        free_ -= processors;
        releases_.add(context_.schedule.start[job] + length(job), processors, now_);
        ++n_running_;
        if (shares_) shares_->note_change(context_.jobs.user(job), processors);
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

void RuledPlanner::hold(JobId job) {
    if (!eligibility_) return cancel(job);
    if (eligibility_->is_held(job)) return;
    const bool waits = withdraw(job);
    eligibility_->hold(job, queue_of(job), waits);
    if (waits) held_.push_back(job);
}

void RuledPlanner::release(JobId job) {
    if (!eligibility_) return Scheduler::release(job);
    patience_.renew();
    if (!eligibility_->is_held(job)) return;
    const bool waits = std::erase(held_, job) > 0;
    eligibility_->release(job, queue_of(job), waits);
    if (waits) enqueue(job);
    is_settled_ = false;
}

void RuledPlanner::cancel(JobId job) {
    if (std::erase(held_, job) == 0) withdraw(job);
    if (eligibility_) eligibility_->note_cancelled(job, queue_of(job));
    patience_.renew();
}

// Removes a job that is not held from the queue; false if it does not wait.
bool RuledPlanner::withdraw(JobId job) {
    is_settled_ = false;
    return waiting_.remove(job, [&](JobId next) { return ranks_.rank_of(next); });
}

} // namespace slotwise
