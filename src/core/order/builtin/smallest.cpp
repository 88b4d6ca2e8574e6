// Orders jobs by processors, smallest first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double smallest_score(const ReplayJobs& jobs, JobId job, Time) {
    return -static_cast<double>(jobs.processors[job]);
}

const bool smallest_registered = order_registry().add({
    .name = "smallest",
    .doc = "Fewest processors first.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<smallest_score>,
});

} // namespace

} // namespace slotwise
