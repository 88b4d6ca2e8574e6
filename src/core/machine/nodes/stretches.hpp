// When the nodes of a group have room for a unit.
#pragma once

#include "machine/nodes/node_groups.hpp"
#include "machine/nodes/unit_room.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>

namespace slotwise {

// Calls `visit(begin, end)` for the stretches from `from` on over which a node of the group has
// room for a unit, in order, until it returns false; an end of kNever is for ever. `whole`: the
// unit takes all cores of a node that could hold it.
template <class Visit>
void visit_stretches(const NodeGroups::Group& group, const UnitRoom& room, bool whole, Time from,
                     Visit&& visit) {
    if (whole) {
        for (const Stretch idle : group.idle)
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
