// Nodes of jobs that take whole nodes of one type, derived from the starts on request.
//
// Example with 4 nodes: jobs of 1, 2 and 2 nodes start at 0, 0 and 50; the first ends at 40. They
// run on node 0, on nodes 1 and 2, and on nodes 0 and 3.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct WholeNodePlaces {
    std::int32_t nodes;              // number of nodes of the machine
    std::vector<std::int32_t> units; // by job: nodes that it takes

    // Places of all jobs that started. At the same instant, ends come before starts, and starts are
    // in job order; each job takes the idle nodes with the lowest numbers.
    JobPlaces of(std::span<const Time> start, std::span<const Time> end) const;
};

} // namespace slotwise
