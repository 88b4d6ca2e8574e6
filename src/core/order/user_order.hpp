// Orders that rank users by their decayed usage: all jobs of a user have the same score at any
// time.
#pragma once

#include "order/order.hpp"
#include "types.hpp"

namespace slotwise {

class UserOrder : public Order {
  public:
    // Score of every job of the user.
    virtual double score_of(const ReplayJobs& jobs, std::int32_t user, Time now) const = 0;

    // Seconds in which usage loses half its weight.
    virtual double half_life() const = 0;
};

// The order as one that ranks users; null if it is a different order.
inline const UserOrder* as_user_order(const Order& order) {
    return dynamic_cast<const UserOrder*>(&order);
}

} // namespace slotwise
