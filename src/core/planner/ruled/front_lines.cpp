#include "planner/ruled/front_lines.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr double kRounding = 1e-13; // moves a score by less than this share of its terms

} // namespace

FrontLines::Line FrontLines::line_of(JobId job, const Order& order, const ReplayJobs& jobs) {
    const LinearScore line = order.line(jobs, job);
    const double before =
        line.per_second * static_cast<double>(jobs.submit(job) - jobs.first_submit);
    doubt_at_zero_ = std::max(doubt_at_zero_, 2 * kRounding * (line.size + before));
    doubt_slope_ = std::max(doubt_slope_, 2 * kRounding * line.per_second);
    return {job, line.at_submit - before, line.per_second};
}

} // namespace slotwise
