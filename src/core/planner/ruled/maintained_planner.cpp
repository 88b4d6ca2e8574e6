#include "planner/ruled/maintained_planner.hpp"

#include "planner/ruled/one_queue.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Context of a plain machine of the pool's size.
ReplayContext alone(const ReplayContext& context) {
    return {context.jobs, context.site, context.policy, context.site.pools[0].processors,
            context.schedule};
}

bool is_unlimited(const Site& site) {
    return site.limits == Limits{} &&
           std::all_of(site.queues.begin(), site.queues.end(), [](const Queue& queue) {
               return queue.limits == Limits{} && queue.hours.empty();
           });
}

} // namespace

bool MaintainedPlanner::fits(const ReplayContext& context) {
    if (context.policy.backfill != "conservative" || context.routing == nullptr ||
        context.site.outages.size() != 1 || !is_unlimited(context.site))
        return false;
    const std::unique_ptr<Order> order = make_order(context.policy.order);
    return order->is_static() && is_covered(context, *order);
}

MaintainedPlanner::MaintainedPlanner(const ReplayContext& context)
    : context_(context), windows_(context_.site, context.jobs.first_submit),
      planner_(alone(context)), free_(context.site.pools[0].processors) {
    planner_.plan_around(
        {recurrence_of(context.site.outages[0]), free_, context.jobs.first_submit});
}

MaintainedPlanner::MaintainedPlanner(const MaintainedPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), windows_(other.windows_),
      planner_(other.planner_, alone(context)), patience_(other.patience_), free_(other.free_),
      n_running_(other.n_running_) {
    windows_.rebind(context_.site);
}

void MaintainedPlanner::pass(const Instant& instant, Starts& starts) {
    const bool is_active = n_running_ > 0 || !instant.arrived.empty();
    windows_.follow(instant.now, patience_);
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
    if (!gives_up && (n_running_ > 0 || queued() > 0))
        due_ = std::min(due_, windows_.next_change());
}

// Removes a waiting job, permanently or while it is held. A released job arrives again.
void MaintainedPlanner::cancel(JobId job) {
    planner_.cancel(job);
    patience_.renew();
}

std::vector<ProcCount> MaintainedPlanner::free_in_pools() const {
    return {windows_.is_away() ? 0 : free_};
}

void MaintainedPlanner::describe(Schedule& schedule) const {
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.resize(n);
    for (JobId job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(queue_number(job));
        schedule.pool[job] = static_cast<std::int16_t>(pool_number(job));
    }
    schedule.has_calendar = true;
    schedule.capacity = windows_.capacity();
}

} // namespace slotwise
