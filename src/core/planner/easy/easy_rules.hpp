// What a EasyPlanner goes by: a rule for those behind the head, under one policy.
//
// The planner reads EasyRules, filled in when it is made, or EasyInTraceOrder, whose members of the
// same names are constants: most replays are of its kind, and so are spared a branch for all that
// they do not ask for (docs/decisions/0003-fast-easy.md).
#pragma once

#include "order/order.hpp"
#include "planner/scheduler.hpp"

namespace slotwise {

struct BackfillRule {
    bool others_pass; // jobs behind the head may start
    bool reserves;    // … but only where the head's reservation holds
    bool relaxes;     // … at a deadline later than its first shadow

    bool operator==(const BackfillRule&) const = default;
};

inline constexpr BackfillRule kEasy{.others_pass = true, .reserves = true, .relaxes = false};

struct EasyRules {
    // Under the orders of the queue and of those behind the head.
    EasyRules(const BackfillRule& rule, const ReplayContext& context, const Order& order,
              const Order& behind);

    bool others_pass, reserves, relaxes;   // of the rule
    bool strict_end, spare_processors;     // of the policy
    bool ends_now_are_free;                // what ends at this instant is free already
    bool fixed_deadline;                   // the head's deadline stays while it is head
    bool tracks_releases;                  // when running jobs end matters
    bool in_trace_order;                   // jobs and candidates
    bool is_ranked, are_candidates_ranked; // by orders that are static
    bool moves, candidates_move;           // ranked by lines
    bool waiting_drifts;                   // what is believed of jobs that wait
    bool estimates_drift;                  // that, or what is believed of jobs that run
    bool change_at_start;                  // what is believed of a job is another once it runs
    bool takes_requests; // every length believed is a request, and no job outlives its own
    double relaxation;   // share of the expected wait by which the reservation may slip
    bool plain;          // ranks or lines, estimates that never change: bounds once found stay true
};

struct EasyInTraceOrder {
    explicit EasyInTraceOrder(const EasyRules&) {}

    // Whether its constants are those of `rules`.
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
