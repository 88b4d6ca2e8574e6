#include "planner/ruled/promising_planner.hpp"

#include "planner/ruled/one_queue.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Returns the context of a plain machine that has as many processors as the pool.
ReplayContext alone(const ReplayContext& context) {
    return {context.jobs, context.site, context.policy, context.site.pools[0].processors,
            context.schedule};
}

bool has_limits(const Site& site) {
    return site.has_limits() ||
           std::any_of(site.queues.begin(), site.queues.end(),
                       [](const Queue& queue) { return queue.limits != Limits{}; });
}

bool has_hours(const Site& site) {
    return std::any_of(site.queues.begin(), site.queues.end(),
                       [](const Queue& queue) { return !queue.hours.empty(); });
}

} // namespace

bool PromisingPlanner::fits(const ReplayContext& context) {
    const Site& site = context.site;
    if (!plans_promises(context.policy) || context.routing == nullptr || site.outages.size() > 1 ||
        site.limits.lifted_when_idle || has_hours(site))
        return false;
    const std::unique_ptr<Order> order = make_order(context.policy.order);
    return order->is_static() && is_covered(context, *order);
}

PromisingPlanner::PromisingPlanner(const ReplayContext& context)
    : context_(context), planner_(alone(context)), free_(context.site.pools[0].processors) {
    if (has_limits(context.site)) planner_.keep_limits(PromiseGates(context));
    if (context.site.outages.empty()) return;
    windows_.emplace(context_.site, context.jobs.first_submit);
    planner_.plan_around(
        {recurrence_of(context.site.outages[0]), free_, context.jobs.first_submit});
}

PromisingPlanner::PromisingPlanner(const PromisingPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), windows_(other.windows_),
      planner_(other.planner_, alone(context)), patience_(other.patience_), free_(other.free_),
      n_running_(other.n_running_) {
    if (windows_) windows_->rebind(context_.site);
}

void PromisingPlanner::pass(const Instant& instant, Starts& starts) {
    const bool is_active = n_running_ > 0 || !instant.arrived.empty();
    if (windows_) windows_->follow(instant.now, patience_);
    patience_.note_instant(instant.now, is_active);
    const std::size_t before = starts.jobs.size();
    planner_.pass(instant, starts);
    for (const JobId job : instant.ended)
        free_ += context_.jobs.processors[job];
    for (std::size_t at = before; at < starts.jobs.size(); ++at)
        free_ -= context_.jobs.processors[starts.jobs[at].job];
    n_running_ += starts.jobs.size() - before;
    n_running_ -= instant.ended.size();
    due_ = planner_.next_due();
    const bool gives_up = n_running_ == 0 && patience_.is_over(instant.now);
    if (windows_ && !gives_up && (n_running_ > 0 || queued() > 0))
        due_ = std::min(due_, windows_->next_change());
}

// Removes a waiting job that is cancelled or held. When a held job is released, it arrives again.
void PromisingPlanner::cancel(JobId job) {
    planner_.cancel(job);
    patience_.renew();
}

std::vector<ProcCount> PromisingPlanner::free_in_pools() const {
    return {windows_ && windows_->is_away() ? 0 : free_};
}

void PromisingPlanner::describe(Schedule& schedule) const {
    describe_queues(context_.jobs.size(), schedule);
    schedule.has_calendar = windows_.has_value();
    if (windows_) schedule.capacity = windows_->capacity();
}

} // namespace slotwise
