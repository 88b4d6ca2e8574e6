// A change that a user makes to a simulation.
#pragma once

#include "planner/scheduler.hpp"
#include "site/policy.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>

namespace slotwise {

enum class Change : std::uint8_t {
    move,   // the simulation moved on, and earlier changes took effect
    arrive, // a job was submitted at an instant that had already been handled
    cancel,
    hold,
    release,
    priority, // set to `value`
    policy,
};

struct Intervention {
    Change change;
    Time at;            // all events up to this time had been handled
    JobId job = kNoJob; // a row of the current table
    double value = 0;
    std::shared_ptr<const Policy> policy = {};
    std::shared_ptr<Dispatcher> dispatcher = {}; // the new dispatcher; null: the policy decides
};

} // namespace slotwise
