// Finds the groups of nodes that have free cores at the current instant. For each group, computes
// the time until which a unit may use it without violating a count reservation.
//
// Example: one node of a class, no matter which, is reserved from time 50 onwards. Nodes 0 and 1
// are idle; node 2 has a job until 90, and some free cores. A unit may use these cores for any
// length of time. If node 1 gets a job until 60, node 0 may be used only until 50.
#pragma once

#include "availability/node_counts.hpp"
#include "machine/nodes/node_groups.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct FreeGroup {
    std::size_t group;
    std::int64_t cores; // free at the current instant
    Time kept_from;     // a unit must end by this time; kUnknown until kept_from() computes it
};

class FreeGroups {
  public:
    explicit FreeGroups(std::size_t n_classes) : of_class_(n_classes) {}

    // Returns the groups of the class that have free cores now. The result is valid until the plan
    // changes.
    std::span<FreeGroup> of(std::size_t node_class, const NodeGroups& groups,
                            const NodeCounts& counts);

    // Returns the first instant at which a node of the group is idle while all idle nodes of its
    // class are reserved.
    static Time kept_from(FreeGroup& free, const NodeGroups& groups, const NodeCounts& counts) {
        if (free.kept_from == kUnknown)
            free.kept_from = first_kept(groups[free.group], groups.now(), counts);
        return free.kept_from;
    }

  private:
    static constexpr Time kUnknown = kPast;

    struct OfClass {
        std::uint64_t n_changes = 0;
        Time now = kPast;
        std::vector<FreeGroup> free;
    };

    static Time first_kept(const NodeGroups::Group& group, Time now, const NodeCounts& counts);

    std::vector<OfClass> of_class_;
};

} // namespace slotwise
