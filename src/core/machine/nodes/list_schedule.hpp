// Serial list scheduling on nodes: the jobs are planned one after another, and each gets the
// earliest start that the jobs planned before it allow.
#pragma once

#include "machine/nodes/node_plan.hpp"
#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// The start time and the places of each job. The places of job j are places[i] for first[j] <= i <
// first[j + 1].
struct ListSchedule {
    std::vector<Time> start; // start times; kNever if the job never fits on the machine
    std::vector<std::uint32_t> first;
    std::vector<Place> places;
};

// Adds the jobs to `plan` in the given order. No job starts before `now`. A job of length 0 is
// planned with a length of 1 s.
ListSchedule list_schedule(NodePlan& plan, std::span<const UnitDemand> demands,
                           std::span<const std::int64_t> durations,
                           std::span<const std::int64_t> order, Time now, PlacementRule rule);

} // namespace slotwise
