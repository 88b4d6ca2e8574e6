// Announced windows in which nodes are unavailable, planned only as far ahead as searches reach.
#pragma once

#include "availability/node_state.hpp"
#include "site/calendar.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

// Nodes that are unavailable together: either a number of nodes from each class, or named nodes in
// ascending order.
struct NodesAway {
    // Pairs of a class and a number of its nodes.
    std::vector<std::pair<std::size_t, std::int32_t>> numbers;
    std::vector<std::int32_t> named;

    bool empty() const { return numbers.empty() && named.empty(); }
};

// Makes nodes unavailable in the plan on [from, to) (sign 1), or reverses this (sign −1).
void plan_away(const NodesAway& away, Time from, Time to, int sign, NodeState& state);

class NodeFences {
  public:
    void announce(const Recurrence& windows, NodesAway away, Time now);

    // Plans the windows that begin before `time`. Returns true if there were any. Throws
    // ReplayError if there are too many.
    bool reach(Time time, NodeState& state) { return next_ < time && plan(time, state); }

    // Returns the start of the first window that begins at or after `time`, or kNever.
    Time first_beginning_from(Time time) const;

    // Returns true if a window that names the node overlaps [from, to).
    bool names(std::int32_t node, Time from, Time to) const;

  private:
    struct Announced {
        Recurrence windows;
        NodesAway away;
        Time next; // start of the first window not yet planned
    };

    bool plan(Time before, NodeState& state);
    void check_ahead(Time now, Time before) const;

    std::vector<Announced> announced_;
    Time next_ = kNever; // earliest `next` of all announced windows
};

} // namespace slotwise
