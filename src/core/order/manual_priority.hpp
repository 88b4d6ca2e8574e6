// Priorities that users set manually. They take precedence over the scores of an order.
#pragma once

#include "order/order.hpp"

#include <memory>

namespace slotwise {

// Returns an order that sorts by ReplayJobs::manual_priorities, highest first, and sorts jobs with
// equal priorities by `order`. The score of a job is its rank among the jobs in the same call, so
// scores from different calls cannot be compared.
std::unique_ptr<Order> manual_before(std::unique_ptr<Order> order);

} // namespace slotwise
