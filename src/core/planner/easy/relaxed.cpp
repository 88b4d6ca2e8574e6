// Relaxed backfilling: the head's reservation may be delayed once, by at most a given share of the
// head's expected wait.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

constexpr HeadRule kRelaxed{.others_pass = true, .reserves = true, .relaxes = true};

const bool relaxed_registered = backfill_registry().add({
    .name = "relaxed",
    .doc =
        "Like easy, but the first job may be delayed by up to a given share of its expected wait.",
    .reference = "Ward, Mahood and West, \"Scheduling jobs on parallel systems using a relaxed "
                 "backfill strategy\", JSSPP 2002",
    .parameters =
        {{.name = "relaxation",
          .doc = "longest delay of the first job, as a share of its expected wait, at least 0",
          .default_value = 0.5,
          .minimum = 0.0,
          .unit = "share of a wait"}},
    .reads = queue_and({"backfill_order", "estimates", "waiting_estimates", "strict_end",
                        "spare_processors", "frozen_reservation"}),
    .reads_given = {},
    .works_on = {.pools = true, .torus = true, .intervals = true, .nodes = true},
    .head = kRelaxed,
    .plan = [](const Policy& policy, std::int64_t) -> PlanRule {
        return {
            .reservations = 1, .relaxes = true, .relaxation = parameter_of(policy, "relaxation")};
    },
    .make = make_easy_planner<kRelaxed>,
});

} // namespace

} // namespace slotwise
