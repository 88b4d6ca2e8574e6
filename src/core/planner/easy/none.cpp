// Starts jobs in strict order, without backfilling.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

constexpr HeadRule kNoBackfill{.others_pass = false, .reserves = false, .relaxes = false};

const bool none_registered = backfill_registry().add({
    .name = "none",
    .doc = "Jobs start in order; the first that does not fit stops the pass.",
    .reference = "",
    .parameters = {},
    .reads = queue_and({}),
    .reads_given = {},
    .works_on = {.pools = true,
                 .torus = true,
                 .intervals = true,
                 .intervals_alone = true,
                 .nodes = true,
                 .nodes_alone = true},
    .plans_nodes_as_processors = true,
    .head = kNoBackfill,
    .plan = [](const Policy&, std::int64_t) -> PlanRule { return {.closes = true}; },
    .make = make_easy_planner<kNoBackfill>,
});

} // namespace

} // namespace slotwise
