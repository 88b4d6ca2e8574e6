// The nodes of a site, grouped into classes and numbered class by class. No rule of the site
// distinguishes the nodes within a class.
//
// Example: there are four nodes of one type, and a queue uses only nodes 1 and 3. One class
// contains nodes 0 and 2, which get the numbers 0 and 1 here. Another class contains nodes 1 and 3,
// which get the numbers 2 and 3.
#pragma once

#include "machine/nodes/nodes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct NodeLayout {
    using NodeSet = std::vector<std::int32_t>; // node numbers on the machine, ascending

    // Nodes of the same type that belong to the same sets form a class.
    NodeLayout(const Nodes& machine, std::span<const NodeSet* const> sets);

    std::size_t n_classes() const { return classes.classes.size(); }
    std::int32_t count(std::size_t node_class) const { return classes.classes[node_class].count; }
    const Amounts& capacity(std::size_t node_class) const {
        return classes.classes[node_class].capacity;
    }

    // Returns true if `set` contains the nodes of the class. `set` must be one of the sets passed
    // to the constructor; an empty set contains all nodes.
    bool holds(const NodeSet& set, std::size_t node_class) const;

    Nodes classes;
    std::vector<std::size_t> type_of;    // one per class
    std::vector<std::int32_t> first;     // first node of each class; last entry: number of nodes
    std::vector<std::size_t> class_of;   // one per node
    std::vector<std::int32_t> number_of; // per node: its number on the machine
    std::vector<std::int32_t> node_of;   // the inverse of number_of
};

} // namespace slotwise
