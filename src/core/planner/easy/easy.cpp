// EASY backfilling: only the head of the queue has a reservation.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool easy_registered = backfill_registry().add({
    .name = "easy",
    .doc = "The first job that does not fit has a reservation that no other job may delay.",
    .reference = "Lifka, \"The ANL/IBM SP scheduling system\", JSSPP 1995; Mu'alem and Feitelson, "
                 "IEEE TPDS 12(6), 2001",
    .parameters = {},
    .reads = queue_and({"backfill_order", "estimates", "waiting_estimates", "strict_end",
                        "spare_processors", "frozen_reservation"}),
    .reads_given = {},
    .works_on = {.pools = true,
                 .torus = true,
                 .intervals = true,
                 .intervals_alone = true,
                 .nodes = true,
                 .nodes_alone = true},
    .plans_nodes_as_processors = true,
    .head = kEasy,
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {.reservations = 1}; },
    .make = make_easy_planner<kEasy>,
});

} // namespace

} // namespace slotwise
