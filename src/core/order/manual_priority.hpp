// Priorities given by hand, before what an order says.
#pragma once

#include "order/order.hpp"

#include <memory>

namespace slotwise {

// `order` among jobs of equal ReplayJobs::priority_by_hand; higher priorities come first. A score
// is the place among the jobs asked about, so that scores of one call compare, and no others.
std::unique_ptr<Order> by_hand_before(std::unique_ptr<Order> order);

} // namespace slotwise
