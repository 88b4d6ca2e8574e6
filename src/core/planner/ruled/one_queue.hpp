// Sites of one pool whose queues act as one queue: those that the planners of this folder cover.
//
// Example: 10 processors, two queues of equal priority, a limit per user, a weekly maintenance
// window. These planners cover this site. With a limit on submitted jobs, PoolsPlanner would
// schedule it.
#pragma once

#include "order/order.hpp"
#include "replay/context.hpp"

namespace slotwise {

// True if the planners of this folder have a rule for everything in the context. They cover:
// - estimates: requests (including those of default_requested_time), which no job outlives;
// - policy: `order` (given here as made), with passes at every instant and no switch set;
// - machine: processors without positions;
// - site, if the context has a routing: one pool, limits of running jobs and processors for all,
//   each user, group, account or quality of service, opening hours, drains of the whole machine.
bool is_covered(const ReplayContext& context, const Order& order);

} // namespace slotwise
