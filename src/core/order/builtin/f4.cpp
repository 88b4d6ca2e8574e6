// Orders jobs by requested_time x sqrt(processors) + 530000 log10(submit), smallest first. Here
// `submit` is the time since the first submission.
#include "numeric/logarithm.hpp"
#include "order/formula_order.hpp"

#include <cmath>

namespace slotwise {

namespace {

double f4_score(const ReplayJobs& jobs, JobId job, Time) {
    const double n = static_cast<double>(jobs.processors[job]);
    return -(request_of(jobs, job) * std::sqrt(n) + 530000.0 * log10(age_in_trace(jobs, job)));
}

const bool f4_registered = order_registry().add({
    .name = "f4",
    .doc = "Smallest requested_time x sqrt(processors) + 530000 log10(submit) first; submit is the "
           "time since the first submission.",
    .reference = "Carastan-Santos and de Camargo, \"Obtaining dynamic scheduling policies with "
                 "simulation and machine learning\", SC 2017",
    .parameters = {},
    .make = make_kept_formula_order<f4_score>,
});

} // namespace

} // namespace slotwise
