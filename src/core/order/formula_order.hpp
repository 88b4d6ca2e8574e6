// Orders whose scores are computed by a formula, one job at a time.
#pragma once

#include "order/order.hpp"
#include "order/wait_columns.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace slotwise {

enum class Drift { still, with_time }; // with_time if the formula reads `now`

// `formula(jobs, job, now)` returns the score.
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

// An order whose scores never change, but are slow to compute because they require a logarithm. The
// score of each job is therefore stored. A call that requests the scores of all jobs in the trace
// stores nothing, because such a call is made only once.
template <auto formula> class KeptFormulaOrder final : public Order {
  public:
    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time,
               std::span<double> scores) const override {
        const bool is_kept = which.size() < jobs.size();
        if (is_kept) kept_.resize(jobs.size(), std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < which.size(); ++i) {
            const JobId job = which[i];
            scores[i] = is_kept && !std::isnan(kept_[job]) ? kept_[job] : fresh(jobs, job, is_kept);
        }
    }

  private:
    [[gnu::noinline]] double fresh(const ReplayJobs& jobs, JobId job, bool is_kept) const {
        const double score = formula(jobs, job, 0);
        if (is_kept) kept_[job] = score;
        return score;
    }

    mutable std::vector<double> kept_; // score of each job; NaN if not computed yet
};

template <auto formula> std::unique_ptr<Order> make_kept_formula_order(const OrderSpec&) {
    return std::make_unique<KeptFormulaOrder<formula>>();
}

// A formula that depends on a job's wait. `score` computes one score; `scores` computes many at
// once from WaitColumns. `divisor` and `term` compute the values in these columns. `line` computes
// a linear score, which ranks jobs in the same order as the formula.
struct LinearFormula {
    double (*score)(const ReplayJobs&, JobId, Time now);
    LinearScore (*line)(const ReplayJobs&, JobId);
    double (*divisor)(const ReplayJobs&, JobId);
    double (*term)(const ReplayJobs&, JobId);
    void (*scores)(const WaitColumns&, std::span<const JobId>, Time now, double* scores);
};

class LinearOrder final : public Order {
  public:
    explicit LinearOrder(const LinearFormula& formula) : formula_(formula) {}

    bool is_static() const override { return false; }
    bool has_linear_scores() const override { return true; }

    LinearScore line(const ReplayJobs& jobs, JobId job) const override {
        return formula_.line(jobs, job);
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        const auto divisor = [&](JobId job) { return formula_.divisor(jobs, job); };
        const auto term = [&](JobId job) { return formula_.term(jobs, job); };
        if (columns_.serve(jobs, which.size(), now, divisor, term))
            return formula_.scores(columns_, which, now, scores.data());
        for (std::size_t i = 0; i < which.size(); ++i)
            scores[i] = formula_.score(jobs, which[i], now);
    }

  private:
    LinearFormula formula_;
    mutable WaitColumns columns_;
};

// Returns the number of seconds between the first submit time in the trace and the submit time of
// the job, or 1 if the two are equal.
inline double age_in_trace(const ReplayJobs& jobs, JobId job) {
    const Time since = jobs.submit(job) - jobs.first_submit;
    return static_cast<double>(since > 0 ? since : 1);
}

inline double wait_of(const ReplayJobs& jobs, JobId job, Time now) {
    return static_cast<double>(now - jobs.submit(job));
}

} // namespace slotwise
