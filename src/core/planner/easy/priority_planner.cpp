#include "planner/easy/priority_planner.hpp"

#include "planner/easy/pass_in_order.hpp"

#include <optional>
#include <utility>

namespace slotwise {

namespace {

// Returns the backfill rule of the policy, or nothing if PriorityPlanner does not implement it.
std::optional<HeadRule> rule_of(const Policy& policy) {
    const std::optional<HeadRule> rule = backfill_registry().find(policy.backfill).head;
    return rule && !rule->relaxes ? rule : std::nullopt;
}

std::unique_ptr<Order> order_without_priorities(const Policy& policy) {
    OrderSpec spec = policy.order;
    spec.manual_first = false;
    return make_order(spec);
}

} // namespace

bool PriorityPlanner::fits(const ReplayContext& context) {
    const Policy& policy = context.policy;
    return policy.order.manual_first && context.routing == nullptr && !context.site.has_nodes() &&
           !context.site.has_torus() && !policy.backfill_order && !policy.frozen_reservation &&
           policy.estimates != Estimates::user_history &&
           policy.waiting_estimates != Estimates::user_history && rule_of(policy).has_value() &&
           order_without_priorities(policy)->is_static();
}

PriorityPlanner::PriorityPlanner(const ReplayContext& context)
    : PriorityPlanner(context, order_without_priorities(context.policy)) {}

EasyRules PriorityPlanner::rules_under(const ReplayContext& context) {
    const std::unique_ptr<Order> order = order_without_priorities(context.policy);
    return EasyRules(*rule_of(context.policy), context, *order, *order);
}

PriorityPlanner::PriorityPlanner(const ReplayContext& context, std::unique_ptr<Order> order)
    : context_(context), rules_(*rule_of(context.policy), context_, *order, *order),
      estimates_(context_), ends_(context_, estimates_),
      jobs_(context_, rules_, estimates_, *order, *order), reservation_(context_, rules_, jobs_) {}

PriorityPlanner::PriorityPlanner(const PriorityPlanner& other, const ReplayContext& context)
    : context_(context), rules_(other.rules_), estimates_(other.estimates_), ends_(other.ends_),
      jobs_(other.jobs_, context_, estimates_), reservation_(other.reservation_, context_, jobs_),
      queue_(other.queue_) {
    estimates_.rebind(context_);
    ends_.rebind(context_);
}

void PriorityPlanner::take_over(const Underway& underway) {
    reservation_.advance(underway.now);
    for (const JobId job : underway.running)
        occupy(job, context_.schedule.start[job]);
    take_queue(underway.waiting);
}

void PriorityPlanner::enqueue(JobId job) {
    queue_.insert(key_of(job), job, jobs_.processors(job), jobs_.length_of(job));
}

void PriorityPlanner::cancel(JobId job) {
    queue_.erase(key_of(job));
}

void PriorityPlanner::reorder(JobId job, const std::function<void()>& change) {
    queue_.erase(key_of(job));
    change();
    enqueue(job);
}

void PriorityPlanner::pass(const Instant& instant, Starts& starts) {
    reservation_.advance(instant.now);
    for (const JobId job : instant.ended)
        end(job);
    if (rules_.estimates_drift && rules_.tracks_releases) correct_estimates();
    for (const JobId job : instant.arrived)
        enqueue(job);
    pass_in_order(
        queue_, rules_.others_pass, reservation_,
        [&](std::size_t at, bool past_the_head) { return start_at(at, past_the_head, starts); });
}

void PriorityPlanner::occupy(JobId job, Time start) {
    const ProcCount processors = jobs_.processors(job);
    reservation_.occupy(processors);
    if (!rules_.tracks_releases) return;
    reservation_.add_release(ends_.start(job, start, estimates_.running(job)), processors);
}

void PriorityPlanner::end(JobId job) {
    const ProcCount processors = jobs_.processors(job);
    reservation_.vacate(processors);
    if (!rules_.tracks_releases) return;
    const Time end = ends_.of(job, estimates_);
    ends_.forget(job);
    reservation_.remove_release(end, processors);
}

void PriorityPlanner::correct_estimates() {
    ends_.correct(reservation_.now(), [&](JobId job, Time old_end, Time new_end) {
        reservation_.move_release(old_end, new_end, jobs_.processors(job));
    });
}

std::size_t PriorityPlanner::start_at(std::size_t position, bool past_the_head, Starts& starts) {
    const JobId job = queue_.job_at(position);
    occupy(job, reservation_.now());
    starts.add(job, past_the_head);
    return queue_.erase_at(position);
}

} // namespace slotwise
