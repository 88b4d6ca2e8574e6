// Node weights as select/cons_tres adjusts them. Testing a GPU job lowers the weight of each node
// whose free resources, not counting processors, are enough for one of the job's units. The weight
// is lowered by the number of free GPUs on the node, and stays lower for later jobs.
//
// When a job starts, is considered by the main scheduler or is submitted, the weights of the nodes
// that it may use are reset. Example: of two equal nodes, the first has no free GPU, and the second
// has 4. A job with one GPU is tested. After that, a job without GPUs, which would have taken the
// first node, takes the second.
#pragma once

#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlurmGpuWeights {
  public:
    // The object remains empty on machines without the resource "gpus", and under select/linear.
    explicit SlurmGpuWeights(const SlurmCluster& cluster);

    bool is_used() const { return !free_gpus_.empty(); }
    bool asks_gpus(const SlurmRequest& request) const { return is_used() && gpus(request) > 0; }

    // Returns the number by which the weight of a node is lowered.
    std::int32_t of(std::int32_t node) const {
        return is_used() ? free_gpus_[static_cast<std::size_t>(node)] : 0;
    }

    // Resets the weights of those nodes in `usable` that satisfy the constraint of the request.
    void reset(const SlurmCluster& cluster, const SlurmRequest& request, const NodeBits& usable);

    // Sets the weights to the values that they get when a job is submitted or cannot start. These
    // are computed as if every GPU were free.
    void set_as_submitted(const SlurmCluster& cluster, const SlurmRequest& request,
                          const NodeBits& usable);

    // Records the test of a job on `allowed` nodes, assuming that all jobs due to end by `until`
    // have ended.
    void add_test(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                  const SlurmRequest& request, const NodeBits& allowed, EndKey until);

    // Returns, for each node, the number by which its weight is lowered. The list is empty unless
    // is_used() is true.
    const std::vector<std::int32_t>& values() const { return free_gpus_; }
    void set_values(const std::vector<std::int32_t>& values) { free_gpus_ = values; }

  private:
    std::int64_t gpus(const SlurmRequest& request) const { // GPUs that one unit needs on a node
        return request.each[gpus_] + request.per_node[gpus_];
    }

    std::size_t gpus_ = 0; // index of the resource "gpus"
    std::vector<std::int32_t> free_gpus_;
};

} // namespace slotwise
