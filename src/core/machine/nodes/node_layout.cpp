#include "machine/nodes/node_layout.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace slotwise {

namespace {

// The type of a node, and a flag for each set that is true if the node belongs to the set.
using Membership = std::pair<std::size_t, std::vector<bool>>;

std::vector<Membership> memberships(const Nodes& machine,
                                    std::span<const NodeLayout::NodeSet* const> sets) {
    std::vector<Membership> of_node;
    for (std::size_t type = 0; type < machine.classes.size(); ++type)
        of_node.resize(of_node.size() + static_cast<std::size_t>(machine.classes[type].count),
                       {type, std::vector<bool>(sets.size())});
    for (std::size_t set = 0; set < sets.size(); ++set)
        for (const std::int32_t node : *sets[set])
            of_node[static_cast<std::size_t>(node)].second[set] = true;
    return of_node;
}

} // namespace

NodeLayout::NodeLayout(const Nodes& machine, std::span<const NodeSet* const> sets) {
    const std::vector<Membership> of_node = memberships(machine, sets);
    std::map<Membership, std::size_t> known;
    std::vector<std::vector<std::int32_t>> members; // one per class
    classes.resources = machine.resources;
    for (std::size_t node = 0; node < of_node.size(); ++node) {
        const auto [at, is_new] = known.try_emplace(of_node[node], members.size());
        if (is_new) {
            members.emplace_back();
            type_of.push_back(of_node[node].first);
            classes.classes.push_back(machine.classes[of_node[node].first]);
        }
        members[at->second].push_back(static_cast<std::int32_t>(node));
    }
    node_of.resize(of_node.size());
    for (std::size_t c = 0; c < members.size(); ++c) {
        classes.classes[c].count = static_cast<std::int32_t>(members[c].size());
        first.push_back(static_cast<std::int32_t>(number_of.size()));
        for (const std::int32_t number : members[c]) {
            node_of[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(number_of.size());
            number_of.push_back(number);
            class_of.push_back(c);
        }
    }
    first.push_back(static_cast<std::int32_t>(number_of.size()));
}

bool NodeLayout::holds(const NodeSet& set, std::size_t node_class) const {
    const std::int32_t number = number_of[static_cast<std::size_t>(first[node_class])];
    return set.empty() || std::binary_search(set.begin(), set.end(), number);
}

} // namespace slotwise
