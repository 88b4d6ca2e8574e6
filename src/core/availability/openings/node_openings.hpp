// Groups of nodes with free cores at the current instant, and until when the count reservations of
// their class let a unit use them.
//
// Example: one node of a class is reserved at 50, and two are idle then: nodes 0 and 1. Node 2 is
// busy until 90. A unit may use node 2 for any time. If node 1 gets a job until 60, node 0 may be
// used until 50 only.
#pragma once

#include "availability/node_counts.hpp"
#include "machine/nodes/node_groups.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeOpenings {
  public:
    struct Opening {
        std::size_t group;
        std::int64_t cores; // free at the current instant
        Time kept_from;     // a unit must end by then; kUnknown until kept_from() computes it
    };

    explicit NodeOpenings(std::size_t n_classes) : of_class_(n_classes) {}

    // Groups of the class with free cores now; valid until the plan changes.
    std::span<Opening> of(std::size_t node_class, const NodeGroups& groups,
                          const NodeCounts& counts);

    // The first instant at which a node of the group is idle, and all idle nodes of its class are
    // reserved.
    static Time kept_from(Opening& opening, const NodeGroups& groups, const NodeCounts& counts) {
        if (opening.kept_from == kUnknown)
            opening.kept_from = first_kept(groups[opening.group], groups.now(), counts);
        return opening.kept_from;
    }

  private:
    static constexpr Time kUnknown = kPast;

    struct OfClass {
        std::uint64_t n_changes = 0;
        Time now = kPast;
        std::vector<Opening> openings;
    };

    static Time first_kept(const NodeGroups::Group& group, Time now, const NodeCounts& counts);

    std::vector<OfClass> of_class_;
};

} // namespace slotwise
