// EASY backfilling: one reservation, for the head.
#include "planner/easy/easy_planner.hpp"

namespace slotwise {

namespace {

const bool easy_registered = scheduler_registry().add({
    .name = "easy",
    .doc = "The first job that does not fit has a reservation no other may delay.",
    .reference = "Lifka, \"The ANL/IBM SP scheduling system\", JSSPP 1995; Mu'alem and Feitelson, "
                 "IEEE TPDS 12(6), 2001",
    .parameters = {},
    .make = make_easy_planner<kEasy>,
});

} // namespace

} // namespace slotwise
