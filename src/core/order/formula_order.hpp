// An order that is one formula per job.
#pragma once

#include "order/order.hpp"

namespace slotwise {

enum class Drift { still, with_time }; // whether `now` enters the formula

// `formula(jobs, job, now)` gives the score.
template <auto formula, Drift drift> class FormulaOrder final : public Order {
  public:
    bool is_static() const override { return drift == Drift::still; }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = formula(jobs, which[i], now);
    }
};

template <auto formula, Drift drift = Drift::still>
std::unique_ptr<Order> make_formula_order(const OrderSpec&) {
    return std::make_unique<FormulaOrder<formula, drift>>();
}

// `formula` drifts with time and ranks jobs as `line_of(jobs, job)` does.
template <auto formula, auto line_of> class LineOrder final : public Order {
  public:
    bool is_static() const override { return false; }
    bool ranks_by_lines() const override { return true; }

    ScoreLine line(const ReplayJobs& jobs, JobId job) const override { return line_of(jobs, job); }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = formula(jobs, which[i], now);
    }
};

template <auto formula, auto line_of> std::unique_ptr<Order> make_line_order(const OrderSpec&) {
    return std::make_unique<LineOrder<formula, line_of>>();
}

// Seconds since the trace's first submit, at least 1.
inline double age_in_trace(const ReplayJobs& jobs, JobId job) {
    const Time since = jobs.submit(job) - jobs.first_submit;
    return static_cast<double>(since > 0 ? since : 1);
}

inline double wait_of(const ReplayJobs& jobs, JobId job, Time now) {
    return static_cast<double>(now - jobs.submit(job));
}

} // namespace slotwise
