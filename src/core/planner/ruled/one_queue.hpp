// Decides whether the planners in this folder can schedule a site: it must have one pool, and its
// queues must act as one queue.
//
// Example: a site has 10 processors, two queues of equal priority, a limit per user and a weekly
// maintenance window. These planners can schedule this site. If the site also limited submitted
// jobs, PoolsPlanner would schedule it.
#pragma once

#include "order/order.hpp"
#include "replay/context.hpp"

namespace slotwise {

// Returns true if the planners in this folder have a rule for everything in the context. They
// cover:
// - estimates: requested times (including those from default_requested_time), which no job exceeds;
// - policy: any `order`, with passes at every instant and no other options;
// - machine: processors, without nodes or a torus;
// - site, if the context has a routing: one pool; limits on running jobs and processors (for all
//   jobs, or per user, group, account or quality of service); opening hours; drains of the whole
//   machine.
bool is_covered(const ReplayContext& context, const Order& order);

} // namespace slotwise
