// Orders jobs by wait / (log2(processors) x requested_time), largest first. This favours small,
// short jobs. The logarithm is at least 1, so a job on one processor counts as if it used two.
#include "numeric/logarithm.hpp"
#include "order/formula_order.hpp"

#include <algorithm>
#include <vector>

namespace slotwise {

namespace {

// Computing a logarithm takes as long as computing a hundred scores, so the logarithms of common
// job sizes are computed only once.
double width_of(ProcCount processors) {
    static const std::vector<double> widths = [] {
        std::vector<double> logarithms;
        for (int n = 0; n <= 1024; ++n)
            logarithms.push_back(log2(std::max(n, 2)));
        return logarithms;
    }();
    return processors <= 1024 ? widths[static_cast<std::size_t>(processors)]
                              : log2(static_cast<double>(processors));
}

double divisor_of(const ReplayJobs& jobs, JobId job) {
    return width_of(jobs.processors[job]) * request_of(jobs, job);
}

double no_term(const ReplayJobs&, JobId) {
    return 0;
}

constexpr auto kUnicef = [](const auto& wait, const auto& divisor, const auto&, auto& score) {
    score = wait / divisor;
};

double unicef_score(const ReplayJobs& jobs, JobId job, Time now) {
    return wait_of(jobs, job, now) / divisor_of(jobs, job);
}

SLOTWISE_WIDE void unicef_scores(const WaitColumns& columns, std::span<const JobId> which, Time now,
                                 double* scores) {
    score_by_columns(columns, which, now, scores, kUnicef);
}

LinearScore unicef_line(const ReplayJobs& jobs, JobId job) {
    return {0, 1 / divisor_of(jobs, job), 0};
}

const bool unicef_registered = order_registry().add({
    .name = "unicef",
    .doc = "Largest wait / (log2(processors) x requested_time) first; favours small, short jobs.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = [](const OrderSpec&) -> std::unique_ptr<Order> {
        return std::make_unique<LinearOrder>(LinearFormula{.score = unicef_score,
                                                           .line = unicef_line,
                                                           .divisor = divisor_of,
                                                           .term = no_term,
                                                           .scores = unicef_scores});
    },
});

} // namespace

} // namespace slotwise
