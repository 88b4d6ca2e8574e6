// Manual priorities, which precede the scores of an order.
#pragma once

#include "order/order.hpp"

#include <memory>

namespace slotwise {

// Sorts by ReplayJobs::priority_by_hand, higher first, and by `order` among jobs of equal priority.
// The score of a job is its rank among the jobs in the call, so only scores from the same call are
// comparable.
std::unique_ptr<Order> by_hand_before(std::unique_ptr<Order> order);

} // namespace slotwise
