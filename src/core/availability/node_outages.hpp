// Nodes that outages and repairs make unavailable for some time.
//
// Drains are planned in advance. Outages that kill jobs, and repairs, are planned only when they
// begin; the jobs are killed elsewhere. If several outages state only how many nodes they take,
// these counts add up. Nodes that other outages name are unavailable as well. A node that several
// outages name is unavailable while at least one of them lasts.
//
// Example with 8 nodes of one type: there is an outage of 6 of these nodes on [10, 30), and an
// outage of 4 on [20, 80). From 20 to 30, 10 nodes should be unavailable, so none is left. From 30
// onwards, 4 are available.
#pragma once

#include "availability/node_fences.hpp"
#include "availability/node_state.hpp"
#include "replay/schedule.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Returns the nodes that `choice` selects. If it names no nodes, these are `choice.count` nodes of
// its type or, without a type, `processors` nodes of any type, taken from the classes in order. A
// number of 0 means all nodes.
NodesAway nodes_away(const NodeLayout& layout, const NodeChoice& choice, ProcCount processors);

class NodeOutages {
  public:
    // `site` must come from completed(), and must outlive this object.
    NodeOutages(const Site& site, const NodeLayout& layout);

    // Adds the drains to the announced windows of the plan.
    void announce(NodeFences& fences, Time now) const;

    void begin(std::uint32_t index, Time time, NodeState& state);
    void end(std::uint32_t index, Time time, NodeState& state);

    // Takes nodes out of service for repair at `time`, or puts them back. If no nodes are named,
    // this applies to all nodes.
    void begin_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);
    void end_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);

    // Returns the nodes that an outage in progress takes.
    const NodesAway& taken(std::uint32_t index) const { return taken_[index]; }

    // Returns the number of available nodes in the class, whether busy or idle.
    std::int32_t present(std::size_t node_class) const;

    // Returns true if an outage that kills jobs, or a repair, takes unnamed nodes from the class.
    bool kills_in(std::size_t node_class) const { return n_killed_[node_class] > 0; }

    // Returns all changes in the number of available cores of the machine. The list is empty if no
    // node was ever unavailable.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    NodesAway away_at_begin(const Outage& outage, const NodeState& state) const;
    void move(const NodesAway& away, bool kills, int sign, NodeState& state);
    void note(Time time);

    const Site* site_;
    const NodeLayout* layout_;
    std::vector<NodesAway> taken_; // one element per outage
    // For each node, the number of outages and repairs that name it.
    std::vector<std::int32_t> named_;
    // For each class, the number of nodes that at least one outage or repair names.
    std::vector<std::int32_t> n_named_;
    // For each class, the number of nodes taken by outages and repairs that name no nodes.
    std::vector<std::int32_t> n_away_;
    std::vector<std::int32_t>
        n_killed_; // for each class, the part of n_away_ taken by repairs and killing outages
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
