#include "planner/ruled/front_lines.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr double kRounding = 1e-13; // rounding moves a score by less than this share of its terms

} // namespace

void FrontLines::set(std::size_t slot, JobId front, const Order& order, const ReplayJobs& jobs) {
    const LinearScore line = order.line(jobs, front);
    const double before =
        line.per_second * static_cast<double>(jobs.submit(front) - jobs.first_submit);
    doubt_at_zero_ = std::max(doubt_at_zero_, 2 * kRounding * (line.size + before));
    doubt_slope_ = std::max(doubt_slope_, 2 * kRounding * line.per_second);
    if (slot == slopes_.size()) {
        at_zero_.push_back(0);
        slopes_.push_back(0);
    }
    at_zero_[slot] = line.at_submit - before;
    slopes_[slot] = line.per_second;
}

void FrontLines::move_last_to(std::size_t slot) {
    for (std::vector<double>* column : {&at_zero_, &slopes_}) {
        (*column)[slot] = column->back();
        column->pop_back();
    }
}

double FrontLines::leads_until(std::size_t one, std::size_t other, double lead) const {
    const double spare = value(one) - value(other) - lead;
    if (spare <= 0) return -std::numeric_limits<double>::infinity();
    const double approach = slopes_[other] - slopes_[one];
    return approach <= 0 ? std::numeric_limits<double>::infinity() : seconds_ + spare / approach;
}

bool FrontLines::is_above(std::size_t slot, JobId job, const Order& order,
                          const ReplayJobs& jobs) const {
    const LinearScore line = order.line(jobs, job);
    const double wait = seconds_ - static_cast<double>(jobs.submit(job) - jobs.first_submit);
    const double its_doubt = 2 * kRounding * (line.size + line.per_second * seconds_);
    return value(slot) - (line.at_submit + line.per_second * wait) > std::max(doubt(), its_doubt);
}

} // namespace slotwise
