// Orders jobs by processors, largest first.
#include "order/formula_order.hpp"

namespace slotwise {

namespace {

double largest_score(const ReplayJobs& jobs, JobId job, Time) {
    return static_cast<double>(jobs.processors[job]);
}

const bool largest_registered = order_registry().add({
    .name = "largest",
    .doc = "Most processors first.",
    .reference = "",
    .parameters = {},
    .make = make_formula_order<largest_score>,
});

} // namespace

} // namespace slotwise
