// Computes the nodes of jobs that use whole nodes, on a machine with nodes of one type. The nodes
// are derived from the start and end times, and only when they are needed.
//
// Example with 4 nodes: job 0 needs 1 node, and jobs 1 and 2 need 2 nodes each. Jobs 0 and 1 start
// at 0, job 0 ends at 40, and job 2 starts at 50. Job 0 runs on node 0, job 1 on nodes 1 and 2, and
// job 2 on nodes 0 and 3.
#pragma once

#include "machine/nodes/job_demands.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct WholeNodePlaces {
    std::int32_t nodes;              // number of nodes of the machine
    std::vector<std::int32_t> units; // number of nodes of each job

    // Returns the places of all jobs that started. At the same instant, jobs end before others
    // start, and jobs start in job order. Each job takes the idle nodes with the lowest numbers.
    JobPlaces of(std::span<const Time> start, std::span<const Time> end) const;
};

} // namespace slotwise
