#include "planner/slurm/nodes/slurm_gpu_weights.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// True if `free` covers the needs of a unit except processors, which are not tested.
bool has_others(const SlurmRequest& request, const Amounts& free, std::size_t n_resources) {
    for (std::size_t r = 1; r < n_resources; ++r)
        if (free[r] < request.each[r] + request.per_node[r]) return false;
    return true;
}

} // namespace

SlurmGpuWeights::SlurmGpuWeights(const SlurmCluster& cluster) {
    const std::vector<std::string>& resources = cluster.nodes->resources;
    const auto at = std::find(resources.begin(), resources.end(), "gpus");
    if (at == resources.end() || at == resources.begin() || cluster.linear) return;
    gpus_ = static_cast<std::size_t>(at - resources.begin());
    free_gpus_.resize(static_cast<std::size_t>(cluster.n_nodes()), 0);
}

void SlurmGpuWeights::reset(const SlurmCluster& cluster, const SlurmRequest& request,
                            const NodeBits& usable) {
    if (!is_used()) return;
    usable.for_each([&](std::int32_t node) {
        if (cluster.satisfies(node, request)) free_gpus_[static_cast<std::size_t>(node)] = 0;
    });
}

void SlurmGpuWeights::set_as_submitted(const SlurmCluster& cluster, const SlurmRequest& request,
                                       const NodeBits& usable) {
    reset(cluster, request, usable);
    if (!asks_gpus(request)) return;
    usable.for_each([&](std::int32_t node) {
        const std::int64_t all = cluster.capacity(node)[gpus_];
        if (all >= gpus(request) && cluster.satisfies(node, request))
            free_gpus_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(all);
    });
}

void SlurmGpuWeights::add_test(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                               const SlurmRequest& request, const NodeBits& allowed, EndKey until) {
    if (!asks_gpus(request)) return;
    const std::size_t n_resources = cluster.nodes->resources.size();
    allowed.for_each([&](std::int32_t node) {
        if (!cluster.satisfies(node, request)) return;
        const Amounts free = occupancy.free_at(node, until);
        if (has_others(request, free, n_resources))
            free_gpus_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(free[gpus_]);
    });
}

} // namespace slotwise
