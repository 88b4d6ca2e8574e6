#include "planner/slurm/nodes/slurm_choice.hpp"

#include <algorithm>

namespace slotwise {

namespace {

// Weights are shifted by this many bits, so that any difference in weight outweighs all GPUs of a
// node.
constexpr int kGpuBits = 16;

// Returns the number of processors that a node adds to the length of its run. If the job takes
// whole nodes, all processors of the node count. However, under select/linear, a node adds 1 if the
// job has one unit per node. If the job shares nodes, the free processors count. For a GPU job
// whose number of tasks on the node is known, only the processors that these tasks need count.
std::int64_t length(const SlurmCluster& cluster, const SlurmOccupancy& occupancy, bool asks_gpus,
                    const SlurmRequest& request, std::int32_t node, EndKey until) {
    if (cluster.linear && request.one_unit_per_node) return 1;
    if (request.whole) return cluster.capacity(node).near(0);
    const std::int64_t free = occupancy.free_cores_at(node, until);
    if (!asks_gpus) return free;
    if (request.one_unit_per_node) return std::min(free, request.first_unit[0]);
    if (request.max_nodes == 1)
        return std::min(free, request.each[0] * request.units + request.per_node[0]);
    return free;
}

} // namespace

void SlurmChoice::collect(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                          bool asks_gpus, const SlurmRequest& request, const NodeBits& with_room,
                          EndKey until) {
    offers_.clear();
    with_room.for_each([&](std::int32_t node) {
        const std::int32_t room =
            request.one_unit_per_node ? 1 : occupancy.room_at(request, node, until);
        if (room == 0) return;
        offers_.push_back(
            {node, room, length(cluster, occupancy, asks_gpus, request, node, until)});
    });
}

// Builds the runs: neighbouring nodes of equal weight (of any weight under select/linear), each
// with room for at least `least_units` units.
void SlurmChoice::make_runs(const SlurmCluster& cluster, const SlurmGpuWeights& gpu_weights,
                            std::int32_t least_units) {
    runs_.clear();
    std::int32_t previous = -2;
    for (std::size_t i = 0; i < offers_.size(); ++i) {
        const Offer& offer = offers_[i];
        if (offer.units < least_units) continue;
        const std::int64_t weight =
            cluster.linear ? 0
                           : (cluster.weight(offer.node) << kGpuBits) - gpu_weights.of(offer.node);
        const auto at = static_cast<std::int32_t>(i);
        if (offer.node != previous + 1 || runs_.back().weight != weight)
            runs_.push_back({at, at, weight, 0, 0});
        Run& run = runs_.back();
        run.last = at + 1;
        run.units += offer.units;
        run.processors += offer.processors;
        previous = offer.node;
    }
}

// Returns the lightest run, or null if no run is left. Among equally light runs, this is usually
// the smallest one that suffices, or the largest one if none does. However, as in Slurm, a run that
// does not suffice replaces an earlier one that does if it is larger.
SlurmChoice::Run* SlurmChoice::best_run(std::int64_t units, std::int32_t least_nodes) {
    Run* best = nullptr;
    bool best_suffices = false;
    for (Run& run : runs_) {
        if (run.processors == 0) continue;
        const bool suffices = run.units >= units && run.last - run.first >= least_nodes;
        const bool is_better = best == nullptr || run.weight < best->weight ||
                               (run.weight == best->weight &&
                                (suffices ? !best_suffices || run.processors < best->processors
                                          : run.processors > best->processors));
        if (!is_better) continue;
        best = &run;
        best_suffices = suffices;
    }
    return best;
}

// Takes the job's last node from the run: of the nodes with room for all remaining units, the one
// that offers the fewest processors. Returns false if there is no such node.
bool SlurmChoice::take_one(const Run& run, std::int64_t units) {
    const Offer* best = nullptr;
    for (std::int32_t i = run.first; i < run.last; ++i) {
        const Offer& offer = offers_[static_cast<std::size_t>(i)];
        if (offer.units >= units && (best == nullptr || offer.processors < best->processors))
            best = &offer;
    }
    if (best == nullptr) return false;
    taken_.push_back({best->node, static_cast<std::int32_t>(units), 0});
    return true;
}

bool SlurmChoice::take(const SlurmRequest& request) {
    taken_.clear();
    std::int64_t units = request.units;
    std::int32_t least_nodes = request.min_nodes;
    std::int32_t most_nodes = request.max_nodes == 0 ? request.units : request.max_nodes;
    while (units > 0 || least_nodes > 0) {
        Run* run = most_nodes > 0 ? best_run(units, least_nodes) : nullptr;
        if (run == nullptr) return false;
        if (least_nodes == 1 && most_nodes == 1) {
            if (!take_one(*run, units)) {
                run->processors = 0;
                continue;
            }
            break;
        }
        for (std::int32_t i = run->first; i < run->last; ++i) {
            if (most_nodes == 0 || (units <= 0 && least_nodes <= 0)) break;
            const Offer& offer = offers_[static_cast<std::size_t>(i)];
            // Keeps back one unit for each further node that the job needs.
            const std::int64_t kept = std::max(least_nodes - 1, 0);
            const auto own = static_cast<std::int32_t>(std::clamp<std::int64_t>(
                units - kept, std::min(units, std::int64_t{1}), offer.units));
            taken_.push_back({offer.node, own, 0});
            units -= own;
            --least_nodes;
            --most_nodes;
        }
        run->processors = 0;
    }
    return true;
}

bool SlurmChoice::choose(const SlurmCluster& cluster, const SlurmOccupancy& occupancy,
                         const SlurmGpuWeights& gpu_weights, const SlurmRequest& request,
                         const NodeBits& with_room, EndKey until) {
    collect(cluster, occupancy, gpu_weights.asks_gpus(request), request, with_room, until);
    std::int32_t least = 1;
    for (;;) {
        make_runs(cluster, gpu_weights, least);
        if (take(request)) break;
        if (request.one_unit_per_node) return false;
        // The job may have reached its maximum number of nodes because some of them have little
        // room. The nodes with the least room are therefore excluded from the next attempt.
        std::int32_t next = 0;
        for (const Offer& offer : offers_)
            if (offer.units >= least && (next == 0 || offer.units < next)) next = offer.units;
        if (next == 0) return false;
        least = next + 1;
    }
    std::sort(taken_.begin(), taken_.end(),
              [](const Offer& a, const Offer& b) { return a.node < b.node; });
    nodes.clear();
    units.clear();
    for (const Offer& offer : taken_) {
        nodes.push_back(offer.node);
        units.push_back(offer.units);
    }
    return true;
}

} // namespace slotwise
