// Orders jobs by area, which is requested_time x processors, smallest first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double saf_score(const ReplayJobs& jobs, JobId job, Time) {
    return -(request_of(jobs, job) * static_cast<double>(jobs.processors[job]));
}

const bool saf_registered = order_registry().add({
    .name = "saf",
    .doc = "Smallest area first: requested_time x processors.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<saf_score>,
});

} // namespace

} // namespace slotwise
