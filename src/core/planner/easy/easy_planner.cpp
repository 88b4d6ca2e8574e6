#include "planner/easy/easy_pass.hpp"

namespace slotwise {

template <class Rules>
EasyPlanner<Rules>::EasyPlanner(const ReplayContext& context, const EasyRules& rules,
                                std::unique_ptr<Order> order, std::unique_ptr<Order> behind)
    : context_(context), rules_(rules), order_(std::move(order)),
      backfill_order_(std::move(behind)), estimates_(context_), ends_(context_, estimates_),
      jobs_(context_, rules_, estimates_, *order_, *backfill_order_), queue_(context.jobs.size()),
      candidates_(context_, rules_, jobs_, queue_), reservation_(context_, rules_, jobs_),
      search_(rules_, jobs_, candidates_, reservation_) {
    if (rules_.moves) moving_.emplace(context.jobs, *order_);
}

template <class Rules>
EasyPlanner<Rules>::EasyPlanner(const EasyPlanner& other, const ReplayContext& context)
    : context_(context), rules_(other.rules_), order_(make_order(context.policy.order)),
      backfill_order_(make_order(context.policy.order_behind_head())), estimates_(other.estimates_),
      ends_(other.ends_), jobs_(other.jobs_, context_, estimates_), moving_(other.moving_),
      queue_(other.queue_), candidates_(other.candidates_, jobs_, queue_),
      reservation_(other.reservation_, context_, jobs_),
      search_(other.search_, jobs_, candidates_, reservation_),
      waiting_by_user_(other.waiting_by_user_) {
    if (rules_.moves) moving_->rebind(context_.jobs, *order_);
    estimates_.rebind(context_);
    ends_.rebind(context_);
}

template <class Rules> void EasyPlanner<Rules>::pass(const Instant& instant, Starts& starts) {
    begin(instant.now, starts);
    for (const JobId job : instant.ended)
        end(job);
    if (rules_.estimates_drift) {
        update_estimates(instant.ended);
        if (correct_estimates()) reservation_.mark_stale();
    }
    plan(!instant.ended.empty(), instant.arrived);
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
