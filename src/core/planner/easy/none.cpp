// Without backfilling: strict order.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool none_registered = scheduler_registry().add({
    .name = "none",
    .doc = "Jobs start in order; the first that does not fit stops the pass.",
    .reference = "",
    .parameters = {},
    .make =
        make_easy_planner<BackfillRule{.others_pass = false, .reserves = false, .relaxes = false}>,
});

} // namespace

} // namespace slotwise
