// Scores of the fronts of classes under an order with linear scores (order.hpp), as lines.
//
// Example: a front submitted at 4 has 2 + 3·wait. At 10 its line is at 20. The scores themselves
// decide between fronts whose lines are closer than doubt().
#pragma once

#include "order/order.hpp"
#include "types.hpp"

#include <cstddef>
#include <vector>

namespace slotwise {

class FrontLines {
  public:
    // Sets the instant and the number of slots.
    void set_now(const ReplayJobs& jobs, Time now, std::size_t n_slots) {
        seconds_ = static_cast<double>(now - jobs.first_submit);
        if (lines_.size() < n_slots) lines_.resize(n_slots);
    }

    // Value of the line of `front`, which is the front of the class in this slot.
    double at(std::size_t slot, JobId front, const Order& order, const ReplayJobs& jobs) {
        if (slot >= lines_.size()) lines_.resize(slot + 1);
        Line& line = lines_[slot];
        if (line.job != front) line = line_of(front, order, jobs);
        return line.at_zero + line.slope * seconds_;
    }

    // Lines this close may belong to equal scores: twice the band around the widest line so far.
    double doubt() const { return doubt_at_zero_ + doubt_slope_ * seconds_; }

  private:
    struct Line {
        JobId job = kNoJob;
        double at_zero = 0; // at the first submit time of the trace
        double slope = 0;
    };

    Line line_of(JobId job, const Order& order, const ReplayJobs& jobs);

    std::vector<Line> lines_; // by slot
    double seconds_ = 0;      // since the first submit time of the trace
    double doubt_at_zero_ = 0;
    double doubt_slope_ = 0;
};

} // namespace slotwise
