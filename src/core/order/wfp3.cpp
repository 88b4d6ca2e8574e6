// Largest (wait / requested_time)^3 x processors first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double wfp3_score(const ReplayJobs& jobs, JobId job, Time now) {
    const double ratio = wait_of(jobs, job, now) / request_of(jobs, job);
    return ratio * ratio * ratio * static_cast<double>(jobs.processors[job]);
}

const bool registered = order_registry().add({
    .name = "wfp3",
    .doc = "Largest (wait / requested_time)^3 x processors first.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = make_formula_order<wfp3_score, Drift::with_time>,
});

} // namespace

} // namespace slotwise
