// Orders jobs by (wait / requested_time)^3 x processors, largest first.
#include "order/formula_order.hpp"

#include <cmath>

namespace slotwise {

namespace {

double processors_of(const ReplayJobs& jobs, JobId job) {
    return static_cast<double>(jobs.processors[job]);
}

constexpr auto kWfp3 = [](const auto& wait, const auto& request, const auto& processors,
                          auto& score) {
    const auto ratio = wait / request;
    score = ratio * ratio * ratio * processors;
};

double wfp3_score(const ReplayJobs& jobs, JobId job, Time now) {
    double score = 0;
    kWfp3(wait_of(jobs, job, now), request_of(jobs, job), processors_of(jobs, job), score);
    return score;
}

SLOTWISE_WIDE void wfp3_scores(const WaitColumns& columns, std::span<const JobId> which, Time now,
                               double* scores) {
    score_by_columns(columns, which, now, scores, kWfp3);
}

// Returns the cube root of the score. The root is linear in the wait and gives the same order.
LinearScore wfp3_line(const ReplayJobs& jobs, JobId job) {
    return {0, std::cbrt(static_cast<double>(jobs.processors[job])) / request_of(jobs, job), 0};
}

const bool wfp3_registered = order_registry().add({
    .name = "wfp3",
    .doc = "Largest (wait / requested_time)^3 x processors first.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = [](const OrderSpec&) -> std::unique_ptr<Order> {
        return std::make_unique<LinearOrder>(LinearFormula{.score = wfp3_score,
                                                           .line = wfp3_line,
                                                           .divisor = request_of,
                                                           .term = processors_of,
                                                           .scores = wfp3_scores});
    },
});

} // namespace

} // namespace slotwise
