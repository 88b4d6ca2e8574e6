// What a user does to a replay as it goes.
#pragma once

#include "planner/scheduler.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>

namespace slotwise {

enum class Change : std::uint8_t {
    move,   // the simulation went on: what was changed before took effect
    arrive, // a job submitted at an instant that has been handled
    cancel,
    hold,
    release,
    priority, // to `value`
    policy,
};

struct Intervention {
    Change change;
    Time at;            // up to when everything had been handled
    JobId job = kNoJob; // a row of the table as it stands
    double value = 0;
    std::shared_ptr<const Policy> policy = {};
    std::shared_ptr<Dispatcher> dispatcher = {}; // decides from here on; null: the policy does
};

} // namespace slotwise
