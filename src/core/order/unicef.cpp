// Largest wait / (log2(processors) x requested_time) first: small quick jobs.
#include "order/formula_order.hpp"
#include "order/logarithm.hpp"

#include <algorithm>

namespace slotwise {

namespace {

double unicef_score(const ReplayJobs& jobs, JobId job, Time now) {
    const double width = static_cast<double>(std::max(jobs.processors[job], ProcCount{2}));
    return wait_of(jobs, job, now) / (log2(width) * request_of(jobs, job));
}

const bool registered = order_registry().add({
    .name = "unicef",
    .doc = "Largest wait / (log2(processors) x requested_time) first: small quick jobs.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = make_formula_order<unicef_score, Drift::with_time>,
});

} // namespace

} // namespace slotwise
