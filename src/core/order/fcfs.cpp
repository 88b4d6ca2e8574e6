// First come, first served.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double fcfs_score(const ReplayJobs& jobs, JobId job, Time) {
    return -static_cast<double>(jobs.submit(job));
}

const bool registered = order_registry().add({
    .name = "fcfs",
    .doc = "First come, first served.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<fcfs_score>,
});

}  // namespace

}  // namespace slotwise
