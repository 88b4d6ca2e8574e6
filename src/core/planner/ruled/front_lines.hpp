// Scores of the fronts of classes under an order with linear scores (order.hpp), stored as lines.
//
// Example: a front submitted at 4 has 2 + 3·wait. At 10 its line is at 20. The scores themselves
// decide between fronts whose lines are closer than doubt().
#pragma once

#include "order/order.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

// Columns by slot. Every class has a line.
class FrontLines {
  public:
    // Sets the line of the class in this slot, or adds the line of a new class.
    void set(std::size_t slot, JobId front, const Order& order, const ReplayJobs& jobs);

    // Moves the last line into this slot.
    void move_last_to(std::size_t slot);

    // Sets the instant of the values.
    void set_now(const ReplayJobs& jobs, Time now);

    double value(std::size_t slot) const { return values_[slot]; }

    // Lines this close may belong to equal scores: twice the band around the widest line so far.
    double doubt() const { return doubt_at_zero_ + doubt_slope_ * seconds_; }

  private:
    std::vector<double> at_zero_; // at the first submit time of the trace
    std::vector<double> slopes_;
    std::vector<double> values_;
    double seconds_ = 0; // since the first submit time of the trace
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
