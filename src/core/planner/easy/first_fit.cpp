// Greedy: order without protection of those that do not fit.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool first_fit_registered = scheduler_registry().add({
    .name = "first-fit",
    .doc = "Jobs are tried in order and every one that fits starts; nothing is reserved.",
    .reference = "",
    .parameters = {},
    .make =
        make_easy_planner<BackfillRule{.others_pass = true, .reserves = false, .relaxes = false}>,
});

} // namespace

} // namespace slotwise
