// Orders jobs by requested_time, longest first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double ljf_score(const ReplayJobs& jobs, JobId job, Time) {
    return request_of(jobs, job);
}

const bool ljf_registered = order_registry().add({
    .name = "ljf",
    .doc = "Longest requested_time first.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<ljf_score>,
});

} // namespace

} // namespace slotwise
