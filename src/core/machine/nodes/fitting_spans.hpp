// The times at which a unit fits on the nodes of a group.
#pragma once

#include "machine/nodes/node_groups.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>

namespace slotwise {

// Calls `visit(begin, end)` for each span of time, at or after `from`, over which a unit fits on a
// node of the group. Spans are visited in chronological order, until a call returns false. An `end`
// of kNever means forever. `whole` is true if the unit takes all cores of any node on which it
// fits.
template <class Visit>
void visit_idle_spans(const NodeGroups::Group& group, const UnitRoom& room, bool whole, Time from,
                      Visit&& visit) {
    if (whole) {
        for (const IdleSpan idle : group.idle)
            if (idle.end > from && !visit(std::max(idle.begin, from), idle.end)) return;
        return;
    }
    const FreeSteps& steps = group.steps;
    Time begin = kNever;
    for (std::size_t i = steps.at(from); i < steps.size(); ++i) {
        const bool has_room = room(steps.free(i)) > 0;
        if (has_room && begin == kNever) begin = std::max(steps.begin(i), from);
        if (has_room || begin == kNever) continue;
        if (!visit(begin, steps.begin(i))) return;
        begin = kNever;
    }
    if (begin != kNever) visit(begin, kNever);
}

} // namespace slotwise
