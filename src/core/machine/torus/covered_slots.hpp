// Free nodes of a machine as slots; several holders may cover the same node.
//
// Example with 10 nodes: a job covers [0, 4), and an outage covers [2, 6). The slot [6, 10) is
// free. When the job ends, [0, 2) is free too, while [2, 6) stays covered until the outage is over.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/slots.hpp"

#include <cstdint>
#include <map>

namespace slotwise {

// Adding or removing a holder takes O(log nodes) per stretch of equal cover inside the interval.
class CoveredSlots {
  public:
    explicit CoveredSlots(NodeCount nodes) : slots_(nodes), covers_{{0, 0}} {}

    const Slots& slots() const { return slots_; }

    // Adds a holder of the interval, or removes one of its holders.
    void cover(NodeInterval nodes) { change(nodes, 1); }
    void uncover(NodeInterval nodes) { change(nodes, -1); }

    // True if every node of the interval is free.
    bool is_free(NodeInterval nodes) const {
        const NodeInterval slot = slots_.slot_at(nodes.begin);
        return !slot.empty() && nodes.end <= slot.end;
    }

  private:
    using Covers = std::map<std::int32_t, std::int32_t>; // start of a stretch → number of holders

    Covers::iterator split(std::int32_t at);
    void merge(Covers::iterator at);
    void change(NodeInterval nodes, std::int32_t sign);

    Slots slots_;
    Covers covers_;
};

} // namespace slotwise
