// Numbers of free GPUs by which tests of GPU jobs lower the weights of nodes, as in
// select/cons_tres.
//
// A test lowers the weights of the nodes with room for a unit of the job, for all later jobs. A
// start, a pass of the main scheduler or a submission resets the weights of the nodes that its job
// may use. Example: of two equal nodes, the first has no free GPU, the second has 4. A job with one
// GPU is tested. A job without GPUs, which would have taken the first node, now takes the second.
#pragma once

#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmGpuWeights {
  public:
    // Stays empty on machines without the resource "gpus", and under select/linear.
    explicit SlurmGpuWeights(const SlurmCluster& cluster);

    bool is_used() const { return !free_gpus_.empty(); }
    bool asks_gpus(const SlurmRequest& request) const { return is_used() && gpus(request) > 0; }

    // The number by which the weight of a node is lowered.
    std::int32_t of(std::int32_t node) const {
        return is_used() ? free_gpus_[static_cast<std::size_t>(node)] : 0;
    }

    // Resets the weights of the nodes among `usable` that satisfy the constraint.
    void reset(const SlurmCluster& cluster, const SlurmRequest& request, const NodeBits& usable);

    // Sets the weights used when a job is submitted or cannot start: as if every GPU were free.
    void set_as_submitted(const SlurmCluster& cluster, const SlurmRequest& request,
                          const NodeBits& usable);

    // Adds the test of a job on `allowed` nodes, after the ends of all jobs up to `until`.
    void add_test(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                  const SlurmRequest& request, const NodeBits& allowed, EndKey until);

    // By node; empty unless is_used().
    const std::vector<std::int32_t>& values() const { return free_gpus_; }
    void set_values(const std::vector<std::int32_t>& values) { free_gpus_ = values; }

  private:
    std::int64_t gpus(const SlurmRequest& request) const { // of a unit and per node
        return request.each[gpus_] + request.per_node[gpus_];
    }

    std::size_t gpus_ = 0; // index of the resource "gpus"
    std::vector<std::int32_t> free_gpus_;
};

} // namespace slotwise
