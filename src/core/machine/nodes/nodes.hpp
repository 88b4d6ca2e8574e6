// A machine with nodes. The nodes of a class are identical: each has the same amount of every
// resource.
#pragma once

#include "machine/nodes/amounts.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slotwise {

struct NodeClass {
    std::string name;
    std::int32_t count = 0;
    Amounts capacity{}; // capacity of each node
};

// The nodes are numbered from 0, class by class. All amounts are in the order of `resources`.
struct Nodes {
    std::vector<std::string> resources;
    std::vector<NodeClass> classes;

    std::int32_t size() const {
        std::int32_t n = 0;
        for (const NodeClass& nodes : classes)
            n += nodes.count;
        return n;
    }
};

// Throws std::invalid_argument unless there are resources, their names differ, all counts are
// positive, there are between 1 and 1,000,000 nodes, and every amount is in [0, 2^40).
void check(const Nodes& nodes);

// The jobs with which a job may share its nodes.
enum class Exclusive : std::uint8_t {
    no,  // shares its nodes with any job
    job, // shares with no job: each unit takes a whole node
    user // shares only with jobs of its user; if the user is unknown, with none
};

// The demand of a job: a number of units. Each unit must fit on one node; several units may share a
// node.
struct UnitDemand {
    std::int32_t units = 1;
    Amounts each{};
    std::int32_t per_node = 0; // the largest number of units on a node; 0: no limit
    std::int32_t nodes = 0;    // exact number of nodes, each with at least one unit; 0: no rule
    Exclusive exclusive = Exclusive::no;
    std::int32_t constraint = -1; // position in JobDemands::constraints; -1: any node

    auto operator<=>(const UnitDemand&) const = default;

    bool has_rules() const {
        return per_node != 0 || nodes != 0 || exclusive != Exclusive::no || constraint >= 0;
    }
};

// A node, and the number of a job's units on it.
struct Place {
    std::int32_t node;
    std::int32_t units;
};

// The rule by which nodes are chosen for the units of a job. Each chosen node takes as many units
// as fit.
enum class PlacementRule : std::uint8_t {
    first_fit, // in order of node number
    best_fit,  // first the nodes with the smallest share of their capacity left free
    // First the classes on which the job would waste the least of the scarce resources that it does
    // not request; among equals, the classes with the smallest nodes. Within a class, nodes are
    // ordered by number.
    least_scarce
};

// Returns true if the rule ranks nodes by their free resources, so that their order may change
// whenever a job starts or ends. part_left() computes the rank.
constexpr bool ranks_by_free(PlacementRule rule) {
    return rule == PlacementRule::best_fit;
}

// Returns the classes in the order in which `rule` tries them for a unit that requests `each`.
// Classes on which such a unit can never fit are left out.
std::vector<std::size_t> classes_for(const Nodes& nodes, const Amounts& each, PlacementRule rule);

// Same as classes_for(), but groups the classes between which the rule has no preference. The
// classes in a group are in ascending order.
std::vector<std::vector<std::size_t>> ranked_classes(const Nodes& nodes, const Amounts& each,
                                                     PlacementRule rule);

// Returns the number of nodes that a job is assumed to need as long as it has not been placed. This
// is the number of nodes requested or, if each unit takes a whole node, the number of units.
// Otherwise, it is computed from the limit on units per node; without a limit, it is one.
std::int32_t nodes_asked(const UnitDemand& demand);

// Returns true if all units fit on the empty machine.
bool can_ever_hold(const Nodes& nodes, const UnitDemand& demand);

} // namespace slotwise
