// The rules of the EASY planner, which depend only on the policy.
//
// The planner reads either EasyRules, which is filled in when the planner is created, or
// EasyInTraceOrder. The members of EasyInTraceOrder have the same names but are constants. Most
// replays use EasyInTraceOrder, and so execute no branches for rules that are off
// (docs/decisions/0003-fast-easy.md).
#pragma once

#include "order/order.hpp"
#include "planner/scheduler.hpp"

namespace slotwise {

struct EasyRules {
    // `order` is the order of the queue; `behind` is the order of the jobs behind the head.
    EasyRules(const HeadRule& rule, const ReplayContext& context, const Order& order,
              const Order& behind);

    bool others_pass, reserves, relaxes; // flags set by the backfill rule
    bool strict_end, spare_processors;   // flags set by the policy
    bool ends_now_are_free; // true if running jobs count as ended at their estimated ends
    bool fixed_deadline;    // true if the shadow time is computed only once for each head
    bool tracks_releases;   // true if a pass needs the estimated ends of running jobs
    bool in_trace_order;    // true if the queue and the candidates are in trace order
    // First: true if the queue's order is static. Second: true if the candidates' order is static.
    bool is_ranked, are_candidates_ranked;
    // First: true if the queue's order has linear scores. Second: true if the candidates are tried
    // in this order.
    bool moves, candidates_move;
    bool waiting_drifts;  // true if estimates of waiting jobs change over time
    bool estimates_drift; // true if any estimates change over time
    bool change_at_start; // true if the estimate of a job changes when it starts
    // True if every estimate equals the requested time, and no job runs longer.
    bool takes_requests;
    double relaxation = 0; // share of the head's expected wait by which its reservation may slip
    // True if scores are static or linear and estimates are constant, so that bounds remain valid.
    bool plain;
};

struct EasyInTraceOrder {
    explicit EasyInTraceOrder(const EasyRules&) {}

    // Returns true if the constants of this struct equal the members of `rules`.
    static bool are(const EasyRules& rules);

    static constexpr bool others_pass = true, reserves = true, relaxes = false;
    static constexpr bool strict_end = false, spare_processors = true;
    static constexpr bool ends_now_are_free = false;
    static constexpr bool fixed_deadline = false;
    static constexpr bool tracks_releases = true;
    static constexpr bool in_trace_order = true;
    static constexpr bool is_ranked = true, are_candidates_ranked = true;
    static constexpr bool moves = false, candidates_move = false;
    static constexpr bool waiting_drifts = false, estimates_drift = false;
    static constexpr bool change_at_start = false;
    static constexpr bool takes_requests = true;
    static constexpr double relaxation = 0;
    static constexpr bool plain = true;
};

} // namespace slotwise
