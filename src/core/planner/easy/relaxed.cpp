// Relaxed backfilling: the reservation may slip by a share of the wait the head faces, once.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool relaxed_registered = scheduler_registry().add({
    .name = "relaxed",
    .doc = "As easy, but the first job may be delayed by a share of its expected wait.",
    .reference = "Ward, Mahood and West, \"Scheduling jobs on parallel systems using a relaxed "
                 "backfill strategy\", JSSPP 2002",
    .parameters = {{"relaxation", "share of the expected wait, at least 0", 0.5, 0.0}},
    .make = make_easy_planner<BackfillRule{.others_pass = true, .reserves = true, .relaxes = true}>,
});

} // namespace

} // namespace slotwise
