#include "planner/node_refusals.hpp"

#include <algorithm>

namespace slotwise {

namespace {

std::int32_t room_now(std::int32_t node, const JobShape& shape, const UnitRoom& room,
                      const NodeState& state) {
    const std::size_t c = state.layout().class_of[static_cast<std::size_t>(node)];
    if (shape.room[c] == 0 || state.is_away(node)) return 0;
    if (shape.whole[c] != 0) return state.is_idle(node) ? 1 : 0;
    return std::min(shape.room[c], room(state.free(node)));
}

} // namespace

// Nodes that were given something back since the last count are added whole; a sum that seems to
// suffice is counted anew, unless nothing has changed.
bool NodeRefusals::has_room_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    Room& room = rooms_[number];
    const UnitRoom units(shape.demand);
    const std::uint64_t n_changed = state.changed(shape.classes);
    if (room.n_freed != kUnknown) {
        if (room.n_changed == n_changed) return room.units >= shape.demand.units;
        if (state.n_freed() - room.n_freed < NodeState::kFreed) {
            for (; room.n_freed < state.n_freed() && room.units < shape.demand.units;
                 ++room.n_freed)
                room.units += room_now(state.freed(room.n_freed), shape, units, state);
            if (room.units < shape.demand.units) {
                room.n_changed = n_changed;
                return false;
            }
        }
    }
    room = {0, state.n_freed(), n_changed};
    for (const std::int32_t node : *shape.nodes)
        room.units += room_now(node, shape, units, state);
    return room.units >= shape.demand.units;
}

} // namespace slotwise
