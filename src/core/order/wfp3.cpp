// Largest (wait / requested_time)^3 x processors first.
#include "order/formula_order.hpp"

#include <cmath>

namespace slotwise {

namespace {

double wfp3_score(const ReplayJobs& jobs, JobId job, Time now) {
    const double ratio = wait_of(jobs, job, now) / request_of(jobs, job);
    return ratio * ratio * ratio * static_cast<double>(jobs.processors[job]);
}

// The cube root of the score.
ScoreLine wfp3_line(const ReplayJobs& jobs, JobId job) {
    return {0, std::cbrt(static_cast<double>(jobs.processors[job])) / request_of(jobs, job), 0};
}

const bool registered = order_registry().add({
    .name = "wfp3",
    .doc = "Largest (wait / requested_time)^3 x processors first.",
    .reference = "Tang, Lan, Desai and Buettner, \"Fault-aware, utility-based job scheduling on "
                 "Blue Gene/P systems\", CLUSTER 2009",
    .parameters = {},
    .make = make_line_order<wfp3_score, wfp3_line>,
});

} // namespace

} // namespace slotwise
