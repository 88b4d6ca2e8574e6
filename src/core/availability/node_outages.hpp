// Nodes that outages and repairs make unavailable, and return.
//
// Drains are planned in advance, killing outages and repairs only once they begin. Simultaneous
// outages by number add up, both with one another and with outages of named nodes. A node that
// several outages name is unavailable during their union. Jobs are killed elsewhere.
//
// Example, a type of 8 nodes: an outage of 6 of the type on [10, 30) and one of 4 on [20, 80). From
// 20 on, 10 nodes should be unavailable, so none is left. From 30 on, 4 are available.
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

// Nodes that a choice selects: all, those it names, or a number taken in the order of the classes.
NodesAway nodes_away(const NodeLayout& layout, const NodeChoice& choice, ProcCount processors);

class NodeOutages {
  public:
    // `site` is completed and outlives this object.
    NodeOutages(const Site& site, const NodeLayout& layout);

    // Announces the drains to the plan.
    void announce(NodeFences& fences, Time now) const;

    // Begins or ends the outage with this index at `time`.
    void begin(std::uint32_t index, Time time, NodeState& state);
    void end(std::uint32_t index, Time time, NodeState& state);

    // Puts nodes into repair at `time`, or returns them; all nodes if none are named.
    void begin_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);
    void end_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);

    // Nodes that an outage in progress takes.
    const NodesAway& taken(std::uint32_t index) const { return taken_[index]; }

    // Available nodes of the class, busy or idle: those that no outage takes by name or by number.
    std::int32_t present(std::size_t node_class) const;

    // True if a killing outage, or a repair, takes a number of nodes of the class.
    bool kills_in(std::size_t node_class) const { return n_killed_[node_class] > 0; }

    // Available cores of the machine over time; empty if no node was ever unavailable.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    NodesAway away_at_begin(const Outage& outage, const NodeState& state) const;
    void move(const NodesAway& away, bool kills, int sign, NodeState& state);
    void note(Time time);

    const Site* site_;
    const NodeLayout* layout_;
    std::vector<NodesAway> taken_;      // one per outage
    std::vector<std::int32_t> named_;   // per node: outages and repairs that name it
    std::vector<std::int32_t> n_named_; // per class: nodes that at least one of them names
    std::vector<std::int32_t> n_away_;  // per class: nodes taken by number
    std::vector<std::int32_t>
        n_killed_; // per class: part of n_away_ taken by killing outages and repairs
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
