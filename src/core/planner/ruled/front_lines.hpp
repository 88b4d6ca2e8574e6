// Scores of class fronts, stored as lines, under an order with linear scores (order.hpp).
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
    void set_now(const ReplayJobs& jobs, Time now) {
        seconds_ = static_cast<double>(now - jobs.first_submit);
    }
    double seconds() const { return seconds_; } // since the first submit time of the trace

    double value(std::size_t slot) const { return at_zero_[slot] + slopes_[slot] * seconds_; }

    // Until when, in seconds(), the line of one class is above that of another by more than `lead`.
    // Before now if it is not above now; infinity if it stays above.
    double leads_until(std::size_t one, std::size_t other, double lead) const;

    // True if the class precedes a job that is not in these lines, by the lines alone.
    bool is_above(std::size_t slot, JobId job, const Order& order, const ReplayJobs& jobs) const;

    // Lines this close may belong to equal scores: twice the band around the widest line so far.
    double doubt() const { return doubt_at_zero_ + doubt_slope_ * seconds_; }

  private:
    std::vector<double> at_zero_; // values at the first submit time of the trace
    std::vector<double> slopes_;
    double seconds_ = 0;
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
