#include "planner/easy/easy_rules.hpp"

#include "estimates/run_time_estimates.hpp"

namespace slotwise {

EasyRules::EasyRules(const HeadRule& rule, const ReplayContext& context, const Order& order,
                     const Order& behind)
    : others_pass(rule.others_pass), reserves(rule.reserves), relaxes(rule.relaxes),
      strict_end(context.policy.strict_end), spare_processors(context.policy.spare_processors),
      ends_now_are_free(context.policy.ending_now_is_free),
      fixed_deadline(rule.relaxes || context.policy.frozen_reservation),
      tracks_releases(rule.reserves || context.policy.ending_now_is_free) {
    const RunTimeEstimates estimates(context);
    in_trace_order = order.is_arrival_order() && behind.is_arrival_order();
    is_ranked = order.is_static();
    are_candidates_ranked = behind.is_static();
    moves = order.has_linear_scores();
    candidates_move = moves && !context.policy.backfill_order &&
                      context.policy.waiting_estimates == Estimates::requested;
    waiting_drifts = estimates.waiting_drift();
    estimates_drift = waiting_drifts || estimates.can_be_outlived();
    change_at_start = estimates.change_at_start();
    takes_requests = !estimates_drift && context.policy.estimates == Estimates::requested &&
                     context.policy.waiting_estimates == Estimates::requested;
    if (relaxes) relaxation = plan_of(context.policy).relaxation;
    plain = (is_ranked || moves) && !estimates_drift && !change_at_start && !ends_now_are_free;
}

bool EasyInTraceOrder::are(const EasyRules& rules) {
    return rules.others_pass && rules.reserves && !rules.relaxes && !rules.strict_end &&
           rules.spare_processors && !rules.ends_now_are_free && !rules.fixed_deadline &&
           rules.in_trace_order && rules.takes_requests && rules.plain;
}

} // namespace slotwise
