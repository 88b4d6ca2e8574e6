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

void NodeRefusals::refuse(std::uint32_t number, const JobShape& shape, Time length,
                          std::int64_t units, const NodeState& state, HeldNodes::Mark under) {
    records_[number] = {length,
                        state.changes().eased(),
                        state.changes().eased(shape.classes),
                        state.changes().eased_otherwise(shape.classes),
                        state.changes().n_freed(),
                        units,
                        under};
}

// A node that was given something back has room for as many units more as it holds now, or fewer.
bool NodeRefusals::is_refused_still(Record& record, const JobShape& shape, const NodeState& state) {
    const std::uint64_t eased = state.changes().eased(shape.classes);
    if (record.eased != eased) {
        if (record.units == kUnknown ||
            state.changes().n_freed() - record.n_freed >= NodeChanges::kFreed ||
            record.eased_otherwise != state.changes().eased_otherwise(shape.classes))
            return false;
        const UnitRoom room(shape.demand);
        for (; record.n_freed < state.changes().n_freed(); ++record.n_freed)
            record.units += room_now(state.changes().freed(record.n_freed), shape, room, state);
        if (record.units >= shape.demand.units) {
            record.units = kUnknown;
            return false;
        }
        record.eased = eased;
    }
    record.n_freed = state.changes().n_freed();
    record.eased_in_all = state.changes().eased();
    return true;
}

bool NodeRefusals::has_room_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    Room& known = rooms_[number];
    const std::uint64_t n_changed = state.changes().changed(shape.classes);
    if (known.units == kUnknown || known.n_changed != n_changed) {
        const UnitRoom room(shape.demand);
        known = {0, n_changed};
        for (const std::int32_t node : *shape.nodes)
            known.units += room_now(node, shape, room, state);
    }
    if (known.units >= shape.demand.units) return true;
    refuse(number, shape, 0, known.units, state, {});
    return false;
}

} // namespace slotwise
