// Multiple-queue backfilling: the head of each queue has a reservation. This file covers machines
// with one queue; PoolsPlanner covers those with several.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool multiple_queue_registered = backfill_registry().add({
    .name = "multiple-queue",
    .doc = "In each queue, the first job that does not fit has a reservation that no other job may "
           "delay.",
    .reference = "Lawson and Smirni, \"Multiple-queue backfilling scheduling with priorities and "
                 "reservations for parallel systems\", JSSPP 2002",
    .parameters = {},
    .reads = queue_and({"backfill_order", "estimates", "waiting_estimates"}),
    .reads_given = {},
    .works_on = {.pools = true, .torus = true, .intervals = true, .nodes = true},
    .plan = [](const Policy&, std::int64_t queues) -> PlanRule {
        return {.reservations = queues, .by_queue = true};
    },
    .make = make_easy_planner<kEasy>,
});

} // namespace

} // namespace slotwise
