// For each job and each resource of its partition, the share of the resource that the job requests.
// Slurm calls these resources trackable resources (TRES).
//
// Example: a partition has 4 nodes with 8 cores each and no GPUs; other nodes of the machine have
// GPUs. A job on 2 nodes with 4 cores each has the shares 8/32 of the cores, 0 of the GPUs and 2/4
// of the nodes.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace slotwise {

struct TresShares {
    std::vector<std::string> names; // in Slurm's order of summation: cores, memory, nodes, others
    std::vector<double> shares;     // one share per resource for job 0, then for job 1, …

    double of(JobId job, std::size_t resource) const {
        return shares[job * names.size() + resource];
    }
};

} // namespace slotwise
