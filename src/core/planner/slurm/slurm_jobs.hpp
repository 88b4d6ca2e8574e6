// Facts about a waiting job that Slurm's schedulers read.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

struct SlurmJob {
    JobId job;
    std::uint32_t request; // position in the requests
    std::uint32_t partition;
    std::int32_t user;
    Time limit; // seconds, whole minutes
    Time submit;
    double priority;
};

// A start that a scheduler decided, on nodes and with so many units on each.
struct SlurmStart {
    std::size_t position; // in the queue given
    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> units;
};

} // namespace slotwise
