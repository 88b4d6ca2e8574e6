// Nodes that outages and repairs take from a machine of nodes, and return.
//
// Drains are in the plan beforehand; outages that kill, and repairs, only from their start.
// Simultaneous outages by number add up, also with named nodes; a node that several of them name is
// absent for their union. Jobs are killed elsewhere.
//
// Example, a type of 8 nodes: an outage of 6 of the type on [10, 30) and one of 4 on [20, 80). From
// 20 on, 10 are to be absent, so none is left; at 30, 4 are present.
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

// All nodes of the layout, or those of the choice: named, or a number in the order of the classes.
NodesAway nodes_away(const NodeLayout& layout, const NodeChoice& choice, ProcCount processors);

class NodeOutages {
  public:
    // `site` is completed and outlives this.
    NodeOutages(const Site& site, const NodeLayout& layout);

    // Puts the drains into the plan.
    void announce(NodeFences& fences, Time now) const;

    // The outage of this index begins or ends at `time`.
    void begin(std::uint32_t index, Time time, NodeState& state);
    void end(std::uint32_t index, Time time, NodeState& state);

    // Nodes are in repair from `time` on, or back again; if none are named, all.
    void begin_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);
    void end_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state);

    // Nodes that an outage in progress takes.
    const NodesAway& taken(std::uint32_t index) const { return taken_[index]; }

    // Nodes of the class that no outage by name or number takes, busy or idle.
    std::int32_t present(std::size_t node_class) const;

    // True if an outage that kills, or a repair, takes a number of the class.
    bool kills_in(std::size_t node_class) const { return n_killed_[node_class] > 0; }

    // Cores of the machine that are present, over time; empty as long as none has been absent.
    const std::vector<CapacityChange>& capacity() const { return capacity_; }

  private:
    NodesAway away_at_begin(const Outage& outage, const NodeState& state) const;
    void move(const NodesAway& away, bool kills, int sign, NodeState& state);
    void note(Time time);

    const Site* site_;
    const NodeLayout* layout_;
    std::vector<NodesAway> taken_;       // by outage
    std::vector<std::int32_t> named_;    // by node: outages and repairs that name it
    std::vector<std::int32_t> n_named_;  // by class: nodes that one or more of them name
    std::vector<std::int32_t> n_away_;   // by class, by number
    std::vector<std::int32_t> n_killed_; // by class: of these by outages that kill, and repairs
    std::vector<CapacityChange> capacity_;
};

} // namespace slotwise
