// First fit: jobs are tried in order, and those that do not fit get no reservation.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

constexpr HeadRule kFirstFit{.others_pass = true, .reserves = false, .relaxes = false};

const bool first_fit_registered = backfill_registry().add({
    .name = "first-fit",
    .doc = "Jobs are tried in order, and every job that fits starts; nothing is reserved.",
    .reference = "",
    .parameters = {},
    .reads = queue_and({"backfill_order"}),
    .reads_given = {},
    .works_on = {.pools = true,
                 .torus = true,
                 .intervals = true,
                 .intervals_alone = true,
                 .nodes = true,
                 .nodes_alone = true},
    .plans_nodes_as_processors = true,
    .head = kFirstFit,
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {}; },
    .make = make_easy_planner<kFirstFit>,
});

} // namespace

} // namespace slotwise
