// Largest wait / (log2(processors) x requested_time) first: small quick jobs.
#include "order/formula_order.hpp"
#include "order/logarithm.hpp"

#include <algorithm>

namespace slotwise {

namespace {

double width_of(const ReplayJobs& jobs, JobId job) {
    return log2(static_cast<double>(std::max(jobs.processors[job], ProcCount{2})));
}

double unicef_score(const ReplayJobs& jobs, JobId job, Time now) {
    return wait_of(jobs, job, now) / (width_of(jobs, job) * request_of(jobs, job));
}

ScoreLine unicef_line(const ReplayJobs& jobs, JobId job) {
    return {0, 1 / (width_of(jobs, job) * request_of(jobs, job)), 0};
}

const bool registered = order_registry().add({
    .name = "unicef",
    .doc = "Largest wait / (log2(processors) x requested_time) first: small quick jobs.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = make_line_order<unicef_score, unicef_line>,
});

} // namespace

} // namespace slotwise
