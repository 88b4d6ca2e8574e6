#include "planner/easy/easy_jobs.hpp"

#include <vector>

namespace slotwise {

namespace {

std::vector<JobId> inverse(std::span<const JobId> rank) {
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
EasyJobs<Rules>::EasyJobs(const ReplayContext& context, const Rules& rules,
                          const RunTimeEstimates& estimates, const Order& order,
                          const Order& behind)
    : rules_(rules), columns_(&context.jobs), estimates_(&estimates),
      rank_(ranks_under(order, context.jobs)), by_rank_(inverse(rank_)),
      backfill_rank_(context.policy.backfill_order
                         ? SharedColumn<JobId>(ranks_under(behind, context.jobs))
                         : rank_) {}

template <class Rules>
EasyJobs<Rules>::EasyJobs(const EasyJobs& other, const ReplayContext& context,
                          const RunTimeEstimates& estimates)
    : rules_(other.rules_), columns_(&context.jobs), estimates_(&estimates), rank_(other.rank_),
      by_rank_(other.by_rank_), backfill_rank_(other.backfill_rank_) {}

template class EasyJobs<EasyRules>;
template class EasyJobs<EasyInTraceOrder>;

} // namespace slotwise
