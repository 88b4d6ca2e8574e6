// Chooses a job's nodes from those with room, as Slurm's select/linear and select/cons_tres do.
//
// Example: nodes 1-2, 4-6 and 8 have room. A job on 2 nodes takes nodes 1 and 2, which are the
// shortest run of neighbouring nodes that suffices. A job on 4 nodes takes nodes 4-6, the longest
// run, and then node 8.
#pragma once

#include "planner/slurm/nodes/slurm_gpu_weights.hpp"
#include "planner/slurm/nodes/slurm_occupancy.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Under select/cons_tres, nodes with a lower weight are used first. The length of a run is the
// number of free processors that its nodes offer to the job.
class SlurmChoice {
  public:
    // Fills `nodes` and `units`, in ascending order of nodes. `with_room` contains the nodes with
    // room for a unit. Returns false if they do not suffice for the job.
    bool choose(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                const SlurmGpuWeights& gpu_weights, const SlurmRequest& request,
                const NodeBits& with_room, EndKey until);

    std::vector<std::int32_t> nodes;
    std::vector<std::int32_t> units; // number of units of the job on each node

  private:
    struct Run {
        std::int32_t first; // positions in `offers_`
        std::int32_t last;  // position after the last node of the run
        std::int64_t weight;
        std::int64_t units;
        std::int64_t processors;
    };
    struct Offer {
        std::int32_t node;
        std::int32_t units;
        std::int64_t processors;
    };

    void collect(const SlurmCluster& cluster, const SlurmOccupancy& occupancy, bool asks_gpus,
                 const SlurmRequest& request, const NodeBits& with_room, EndKey until);
    void make_runs(const SlurmCluster& cluster, const SlurmGpuWeights& gpu_weights,
                   std::int32_t least_units);
    bool take(const SlurmRequest& request);
    bool take_one(const Run& run, std::int64_t units);
    Run* best_run(std::int64_t units, std::int32_t least_nodes);

    std::vector<Offer> offers_;
    std::vector<Run> runs_;
    std::vector<Offer> taken_;
};

} // namespace slotwise
