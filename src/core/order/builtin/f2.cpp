// Orders jobs by sqrt(requested_time) x processors + 25600 log10(submit), smallest first. Here
// `submit` is the time since the first submission.
#include "numeric/logarithm.hpp"
#include "order/formula_order.hpp"

#include <cmath>

namespace slotwise {

namespace {

double f2_score(const ReplayJobs& jobs, JobId job, Time) {
    const double n = static_cast<double>(jobs.processors[job]);
    return -(std::sqrt(request_of(jobs, job)) * n + 25600.0 * log10(age_in_trace(jobs, job)));
}

const bool f2_registered = order_registry().add({
    .name = "f2",
    .doc = "Smallest sqrt(requested_time) x processors + 25600 log10(submit) first; submit is the "
           "time since the first submission.",
    .reference = "Carastan-Santos and de Camargo, \"Obtaining dynamic scheduling policies with "
                 "simulation and machine learning\", SC 2017",
    .parameters = {},
    .make = make_kept_formula_order<f2_score>,
});

} // namespace

} // namespace slotwise
