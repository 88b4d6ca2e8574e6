// Orders jobs by requested_time, shortest first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double sjf_score(const ReplayJobs& jobs, JobId job, Time) {
    return -request_of(jobs, job);
}

const bool sjf_registered = order_registry().add({
    .name = "sjf",
    .doc = "Shortest requested_time first.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<sjf_score>,
});

} // namespace

} // namespace slotwise
