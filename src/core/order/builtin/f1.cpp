// Orders jobs by log10(requested_time) x processors + 870 log10(submit), smallest first. Here
// `submit` is the time since the first submission.
#include "numeric/logarithm.hpp"
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double f1_score(const ReplayJobs& jobs, JobId job, Time) {
    const double n = static_cast<double>(jobs.processors[job]);
    return -(log10(request_of(jobs, job)) * n + 870.0 * log10(age_in_trace(jobs, job)));
}

const bool f1_registered = order_registry().add({
    .name = "f1",
    .doc = "Smallest log10(requested_time) x processors + 870 log10(submit) first; submit is the "
           "time since the first submission.",
    .reference = "Carastan-Santos and de Camargo, \"Obtaining dynamic scheduling policies with "
                 "simulation and machine learning\", SC 2017",
    .parameters = {},
    .make = make_kept_formula_order<f1_score>,
});

} // namespace

} // namespace slotwise
