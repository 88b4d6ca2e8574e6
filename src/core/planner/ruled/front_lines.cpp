#include "planner/ruled/front_lines.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr double kRounding = 1e-13; // moves a score by less than this share of its terms

} // namespace

void FrontLines::set(std::size_t slot, JobId front, const Order& order, const ReplayJobs& jobs) {
    const LinearScore line = order.line(jobs, front);
    const double before =
        line.per_second * static_cast<double>(jobs.submit(front) - jobs.first_submit);
    doubt_at_zero_ = std::max(doubt_at_zero_, 2 * kRounding * (line.size + before));
    doubt_slope_ = std::max(doubt_slope_, 2 * kRounding * line.per_second);
    if (slot == values_.size()) {
        at_zero_.push_back(0);
        slopes_.push_back(0);
        values_.push_back(0);
    }
    at_zero_[slot] = line.at_submit - before;
    slopes_[slot] = line.per_second;
    values_[slot] = at_zero_[slot] + slopes_[slot] * seconds_;
}

void FrontLines::move_last_to(std::size_t slot) {
    for (std::vector<double>* column : {&at_zero_, &slopes_, &values_}) {
        (*column)[slot] = column->back();
        column->pop_back();
    }
}

void FrontLines::set_now(const ReplayJobs& jobs, Time now) {
    seconds_ = static_cast<double>(now - jobs.first_submit);
    for (std::size_t slot = 0; slot < values_.size(); ++slot)
        values_[slot] = at_zero_[slot] + slopes_[slot] * seconds_;
}

} // namespace slotwise
