// Orders that rank users by their decayed usage. At any given time, all jobs of a user have the
// same score.
#pragma once

#include "order/order.hpp"
#include "types.hpp"

namespace slotwise {

class UserOrder : public Order {
  public:
    virtual double score_of(const ReplayJobs& jobs, std::int32_t user, Time now) const = 0;

    // Returns the half-life of usage, in seconds.
    virtual double half_life() const = 0;
};

// Returns the order as a UserOrder, or null if it does not rank users.
inline const UserOrder* as_user_order(const Order& order) {
    return dynamic_cast<const UserOrder*>(&order);
}

} // namespace slotwise
