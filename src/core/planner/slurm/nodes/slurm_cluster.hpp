// The machine as Slurm's schedulers see it: nodes with weights, and partitions that may share
// nodes.
#pragma once

#include "containers/node_bits.hpp"
#include "machine/nodes/job_demands.hpp"
#include "machine/nodes/nodes.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace slotwise {

struct SlurmPartition {
    NodeBits nodes;
    Time max_time = kNever;     // seconds
    std::int32_t max_nodes = 0; // 0 means no bound
    std::int64_t tier = 1;
    bool whole_nodes = false; // OverSubscribe=EXCLUSIVE, or select/linear
};

// A job's demand: units on at least `min_nodes` nodes, plus certain amounts on each of these nodes.
struct SlurmRequest {
    SlurmRequest(const UnitDemand& demand, const Amounts& on_each_node, bool takes_whole_nodes,
                 const Nodes& nodes);

    // Returns true if this request needs at least as many nodes as `other`, and every node with
    // room for this request certainly has room for `other`.
    bool needs_all_of(const SlurmRequest& other) const;

    std::int32_t min_nodes;
    std::int32_t max_nodes; // 0 means no bound
    std::int32_t units;
    std::int32_t most_per_node; // largest number of units on a node
    Amounts each;               // amounts per unit
    Amounts per_node;           // amounts per node, in addition to the units
    Amounts first_unit;         // the sum of `each` and `per_node`
    bool whole;                 // the job takes whole nodes
    bool has_per_node;
    bool one_unit_per_node = false; // true if each node of the job holds one unit
    std::int32_t constraint;
    UnitRoom room; // number of units that fit on a node, at most `most_per_node`
};

// The limit of a job's partition that prevents the job from ever starting.
enum class Exceeded : std::uint8_t { none, max_time, max_nodes };

inline Exceeded exceeded_limit(const SlurmPartition& partition, const SlurmRequest& request,
                               Time limit) {
    if (limit > partition.max_time) return Exceeded::max_time;
    const bool is_wide = partition.max_nodes != 0 && request.min_nodes > partition.max_nodes;
    return is_wide ? Exceeded::max_nodes : Exceeded::none;
}

struct SlurmCluster {
    // `weight` must have one element per node class, or be empty if all weights are equal.
    SlurmCluster(std::shared_ptr<const Nodes> machine, std::vector<std::int64_t> weight);

    std::int32_t n_nodes() const { return static_cast<std::int32_t>(class_of.size()); }
    const Amounts& capacity(std::int32_t node) const {
        return nodes->classes[class_of[static_cast<std::size_t>(node)]].capacity;
    }
    std::int64_t weight(std::int32_t node) const {
        return weight_of_class[class_of[static_cast<std::size_t>(node)]];
    }

    // Returns true if the node meets the constraint of the request.
    bool satisfies(std::int32_t node, const SlurmRequest& request) const {
        return request.constraint < 0 ||
               constraints[static_cast<std::size_t>(request.constraint)].has(node);
    }

    std::shared_ptr<const Nodes> nodes;
    std::vector<std::size_t> class_of; // indexed by node
    std::vector<std::int64_t> weight_of_class;
    std::vector<std::int64_t> weights; // distinct, ascending
    std::vector<SlurmPartition> partitions;
    std::vector<NodeBits> constraints; // for each constraint, the nodes that satisfy it
    bool linear = false;               // true for select/linear, false for select/cons_tres
};

} // namespace slotwise
