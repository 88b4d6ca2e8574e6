// Sites of one pool whose queues act as one queue.
#pragma once

#include "order/order.hpp"
#include "replay/context.hpp"
#include "site/site.hpp"

namespace slotwise {

// True if the policy has no switch on, estimates are requests that no job outlives, and the machine
// is one of processors without positions.
bool has_default_switches(const ReplayContext& context);

// True if a completed site has one pool, which every queue uses in the order of the policy, and
// nothing but limits of running jobs, opening hours and a calendar beside it.
bool is_one_queue(const Site& site, const Order& order);

} // namespace slotwise
