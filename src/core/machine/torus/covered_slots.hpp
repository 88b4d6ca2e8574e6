// The free nodes of a machine, as slots. Nodes are covered by holders such as jobs and outages;
// several holders may cover the same node.
//
// Example with 10 nodes: a job covers [0, 4), and an outage covers [2, 6), so the only slot is [6,
// 10). When the job ends, [0, 2) becomes free too, but [2, 6) stays covered until the outage ends.
#pragma once

#include "machine/torus/node_interval.hpp"
#include "machine/torus/slots.hpp"

#include <cstdint>
#include <map>

namespace slotwise {

// A span is a range of nodes that all have the same number of holders. Adding or removing a holder
// takes O(log nodes) time for each span in its interval.
class CoveredSlots {
  public:
    explicit CoveredSlots(NodeCount nodes) : slots_(nodes), covers_{{0, 0}} {}

    const Slots& slots() const { return slots_; }

    // cover() adds a holder that covers the interval, and uncover() removes such a holder.
    void cover(NodeInterval nodes) { change(nodes, 1); }
    void uncover(NodeInterval nodes) { change(nodes, -1); }

    bool is_free(NodeInterval nodes) const {
        const NodeInterval slot = slots_.slot_at(nodes.begin);
        return !slot.empty() && nodes.end <= slot.end;
    }

  private:
    using Covers = std::map<std::int32_t, std::int32_t>; // start of a span → number of holders

    Covers::iterator split(std::int32_t at);
    void merge(Covers::iterator at);
    void change(NodeInterval nodes, std::int32_t sign);

    Slots slots_;
    Covers covers_;
};

} // namespace slotwise
