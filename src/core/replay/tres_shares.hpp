// Share of each job in the resources of its partition, which Slurm calls trackable resources.
//
// Example: a partition of 4 nodes with 8 cores each, in a machine with GPUs elsewhere. A job on 2
// nodes with 4 cores each has the shares cores 8/32, gpus 0 and nodes 2/4.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace slotwise {

struct TresShares {
    std::vector<std::string> names; // cores, memory and nodes first, as Slurm adds them up
    std::vector<double> shares;     // of every resource of job 0, of job 1, …

    double of(JobId job, std::size_t resource) const {
        return shares[job * names.size() + resource];
    }
};

} // namespace slotwise
