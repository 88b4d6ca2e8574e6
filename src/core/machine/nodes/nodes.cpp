#include "machine/nodes/nodes.hpp"

#include "guard.hpp"
#include "machine/nodes/unit_room.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace slotwise {

namespace {

std::int64_t nodes_with(const Nodes& nodes, std::size_t resource) {
    std::int64_t n = 0;
    for (const NodeClass& nodes_of_class : nodes.classes)
        if (nodes_of_class.capacity[resource] > 0) n += nodes_of_class.count;
    return n;
}

// Returns a measure of what a unit that requests `each` would waste on a node of class `at`. Each
// resource that the node has but the unit does not request adds to the measure; rare resources add
// more.
double waste(const Nodes& nodes, const NodeClass& at, const Amounts& each) {
    double sum = 0;
    for (std::size_t r = 0; r < nodes.resources.size(); ++r)
        if (at.capacity[r] > 0 && each[r] == 0)
            sum += static_cast<double>(nodes.size()) / static_cast<double>(nodes_with(nodes, r));
    return sum;
}

// Returns the size of a node of class `at`: its capacity as a fraction of the largest capacity of
// any node, summed over the resources.
double size_of(const Nodes& nodes, const NodeClass& at) {
    double sum = 0;
    for (std::size_t r = 0; r < nodes.resources.size(); ++r) {
        std::int64_t most = 0;
        for (const NodeClass& other : nodes.classes)
            most = std::max(most, other.capacity[r]);
        if (most > 0) sum += static_cast<double>(at.capacity[r]) / static_cast<double>(most);
    }
    return sum;
}

} // namespace

void check(const Nodes& nodes) {
    guard(!nodes.resources.empty(), "nodes must have at least one resource");
    const std::set<std::string> names(nodes.resources.begin(), nodes.resources.end());
    guard(names.size() == nodes.resources.size(), "names of resources must differ");
    guard(!nodes.classes.empty(), "a machine with nodes must have at least one node class");
    std::int64_t n = 0;
    for (const NodeClass& nodes_of_class : nodes.classes) {
        guard(nodes_of_class.count >= 1, "a node class must have at least one node");
        for (std::size_t r = 0; r < nodes.resources.size(); ++r)
            guard(nodes_of_class.capacity[r] >= 0 &&
                      nodes_of_class.capacity[r] < (std::int64_t{1} << 40),
                  "an amount of a resource must lie between 0 and 2^40");
        n += nodes_of_class.count;
        guard(n <= 1'000'000, "a machine may have at most 1,000,000 nodes");
    }
}

std::vector<std::vector<std::size_t>> ranked_classes(const Nodes& nodes, const Amounts& each,
                                                     PlacementRule rule) {
    const UnitRoom one(UnitDemand{1, each});
    std::map<std::pair<double, double>, std::vector<std::size_t>> by_key;
    for (std::size_t c = 0; c < nodes.classes.size(); ++c) {
        const NodeClass& at = nodes.classes[c];
        if (one(at.capacity) == 0) continue;
        const bool is_ranked = rule == PlacementRule::least_scarce;
        by_key[is_ranked ? std::pair(waste(nodes, at, each), size_of(nodes, at))
                         : std::pair(0.0, 0.0)]
            .push_back(c);
    }
    std::vector<std::vector<std::size_t>> ranked;
    for (auto& [key, classes] : by_key)
        ranked.push_back(std::move(classes));
    return ranked;
}

std::vector<std::size_t> classes_for(const Nodes& nodes, const Amounts& each, PlacementRule rule) {
    std::vector<std::size_t> order;
    for (const std::vector<std::size_t>& classes : ranked_classes(nodes, each, rule))
        order.insert(order.end(), classes.begin(), classes.end());
    return order;
}

bool can_ever_hold(const Nodes& nodes, const UnitDemand& demand) {
    const UnitRoom room(demand);
    std::int64_t units = 0;
    for (const NodeClass& nodes_of_class : nodes.classes)
        units += std::int64_t{room(nodes_of_class.capacity)} * nodes_of_class.count;
    return units >= demand.units;
}

std::int32_t nodes_asked(const UnitDemand& demand) {
    if (demand.nodes > 0) return demand.nodes;
    if (demand.exclusive == Exclusive::job) return demand.units;
    if (demand.per_node == 0) return 1;
    return (demand.units + demand.per_node - 1) / demand.per_node;
}

} // namespace slotwise
