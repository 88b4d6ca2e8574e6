#include "planner/slurm/nodes/slurm_cluster.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

// The largest number of units on a node if the demand does not limit it. Its product with any
// amount fits in 64 bits.
constexpr std::int32_t kManyUnits = 1 << 20;

// Returns the same demand for `most` units, all of which may be on one node.
UnitDemand on_one_node(const UnitDemand& demand, std::int32_t most) {
    UnitDemand of_node = demand;
    of_node.units = most;
    of_node.per_node = 0;
    return of_node;
}

} // namespace

SlurmRequest::SlurmRequest(const UnitDemand& demand, const Amounts& on_each_node,
                           bool takes_whole_nodes, const Nodes& nodes)
    : min_nodes(std::max(demand.nodes, 1)), max_nodes(demand.nodes), units(demand.units),
      most_per_node(demand.exclusive == Exclusive::job ? 1
                    : demand.per_node > 0              ? demand.per_node
                                                       : kManyUnits),
      each(demand.each), per_node(on_each_node), first_unit(demand.each),
      whole(takes_whole_nodes || demand.exclusive == Exclusive::job),
      has_per_node(on_each_node != Amounts{}), constraint(demand.constraint),
      room(on_one_node(demand, most_per_node)) {
    const bool one_fits = std::all_of(nodes.classes.begin(), nodes.classes.end(),
                                      [&](const NodeClass& c) { return room(c.capacity) <= 1; });
    first_unit.add(1, per_node);
    one_unit_per_node = units == 1 || one_fits || units == demand.nodes;
    if (one_unit_per_node) min_nodes = std::max(min_nodes, units);
    if (one_unit_per_node) max_nodes = min_nodes;
}

bool SlurmRequest::needs_all_of(const SlurmRequest& other) const {
    if (min_nodes < other.min_nodes || (other.whole && !whole) ||
        (other.constraint >= 0 && other.constraint != constraint))
        return false;
    Amounts beyond = first_unit;
    beyond.add(-1, other.first_unit);
    return !beyond.any_negative();
}

SlurmCluster::SlurmCluster(std::shared_ptr<const Nodes> machine, std::vector<std::int64_t> weight)
    : nodes(std::move(machine)), weight_of_class(std::move(weight)) {
    weight_of_class.resize(nodes->classes.size(), 1);
    for (std::size_t c = 0; c < nodes->classes.size(); ++c)
        class_of.insert(class_of.end(), static_cast<std::size_t>(nodes->classes[c].count), c);
    weights = weight_of_class;
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
}

} // namespace slotwise
