// The part of RuledPlanner that decides whether the planner can handle a site, and that makes
// changes between passes.
#include "order/user_order.hpp"
#include "planner/ruled/one_queue.hpp"
#include "planner/ruled/ruled_pass.hpp"

namespace slotwise {

bool RuledPlanner::fits(const ReplayContext& context) {
    if (!plans_as_easy(context.policy) || context.jobs.size() > RequestClasses::kMostJobs)
        return false;
    const std::unique_ptr<Order> order = make_order(context.policy.order);
    const bool is_by_user = as_user_order(*order) != nullptr;
    if (context.routing == nullptr) return is_by_user && is_covered(context, *order);
    return (is_by_user || order->is_static() || order->has_linear_scores()) &&
           is_covered(context, *order);
}

void RuledPlanner::take_over(const Underway& underway) {
    now_ = underway.now;
    machine_.advance(now_);
    machine_.follow(patience_);
    for (const JobId job : underway.running) {
        machine_.take(job, context_.schedule.start[job]);
        waiting_.note_change(job, processors(job));
    }
    for (const JobId job : underway.waiting)
        enqueue(job);
}

// Removes a waiting job that is cancelled or held. When a held job is released, it arrives again.
void RuledPlanner::cancel(JobId job) {
    waiting_.remove(job);
    gates_.note_cancelled(job);
    patience_.renew();
    is_settled_ = false;
}

} // namespace slotwise
