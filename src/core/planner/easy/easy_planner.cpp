#include "planner/easy/easy_pass.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

std::vector<JobId> inverse(const std::vector<JobId>& rank) {
    std::vector<JobId> by_rank(rank.size());
    for (std::size_t job = 0; job < rank.size(); ++job)
        by_rank[rank[job]] = static_cast<JobId>(job);
    return by_rank;
}

std::vector<JobId> ranks_under(const Order& order, const ReplayJobs& jobs) {
    return order.is_static() ? static_ranks(order, jobs) : std::vector<JobId>{};
}

} // namespace

template <class Rules>
EasyPlanner<Rules>::EasyPlanner(const ReplayContext& context, const EasyRules& rules,
                                std::unique_ptr<Order> order, std::unique_ptr<Order> behind)
    : context_(context), rules_(rules), free_(context.processors), order_(std::move(order)),
      backfill_order_(std::move(behind)), rank_(ranks_under(*order_, context.jobs)),
      by_rank_(inverse(rank_)),
      backfill_rank_(context.policy.backfill_order ? ranks_under(*backfill_order_, context.jobs)
                                                   : rank_),
      estimates_(context_), ends_(context_, estimates_), queue_(context.jobs.size()),
      may_be_alike_(rules_.is_ranked && !context.policy.backfill_order && !rules_.waiting_drifts &&
                    context.jobs.size() <= Min16::kMostRanks),
      releases_(context.jobs.first_submit, horizon_of(context.jobs.requested_time)) {
    if (rules_.moves) moving_.emplace(context.jobs, *order_);
}

template <class Rules>
EasyPlanner<Rules>::EasyPlanner(const EasyPlanner& other, const ReplayContext& context)
    : context_(context), rules_(other.rules_), free_(other.free_),
      order_(make_order(context.policy.order)),
      backfill_order_(make_order(context.policy.order_behind_head())), rank_(other.rank_),
      by_rank_(other.by_rank_), backfill_rank_(other.backfill_rank_), estimates_(other.estimates_),
      ends_(other.ends_), moving_(other.moving_), queue_(other.queue_), form_(other.form_),
      short_(other.short_), alike_(other.alike_), grid_(other.grid_), by_size_(other.by_size_),
      may_be_alike_(other.may_be_alike_), lengthens_at_(other.lengthens_at_),
      releases_(other.releases_), waiting_by_user_(other.waiting_by_user_), head_(other.head_),
      reserved_for_(other.reserved_for_), reservation_stale_(other.reservation_stale_),
      shadow_(other.shadow_), extra_(other.extra_), searched_(other.searched_) {
    if (rules_.moves) moving_->rebind(context_.jobs, *order_);
    if (by_size_) by_size_->rebind(context_.jobs.processors);
    estimates_.rebind(context_);
    ends_.rebind(context_);
}

template <class Rules> void EasyPlanner<Rules>::pass(const Instant& instant, Starts& starts) {
    begin(instant.now, starts);
    for (const JobId job : instant.ended)
        end(job);
    if (rules_.estimates_drift) {
        update_estimates(instant.ended);
        if (correct_estimates()) reservation_stale_ = true;
    }
    plan(!instant.ended.empty(), instant.arrived);
}

template class EasyPlanner<EasyRules>;
template class EasyPlanner<EasyInTraceOrder>;

} // namespace slotwise
