// Last come, first served. Jobs submitted at the same time are in trace order.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double lifo_score(const ReplayJobs& jobs, JobId job, Time) {
    return static_cast<double>(jobs.submit(job));
}

const bool lifo_registered = order_registry().add({
    .name = "lifo",
    .doc = "Last come, first served; jobs submitted together keep the trace's order.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<lifo_score>,
});

} // namespace

} // namespace slotwise
