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

std::int64_t gain_of_whole(std::int32_t node, const JobShape& shape, const NodeState& state) {
    return shape.room[state.layout().class_of[static_cast<std::size_t>(node)]] == 0 ? 0 : 1;
}

std::int64_t idle_now(const JobShape& shape, const NodeState& state) {
    std::int64_t nodes = 0;
    for (const std::size_t c : shape.classes)
        nodes += state.idle(c);
    return nodes;
}

} // namespace

void NodeRefusals::refuse(std::uint32_t number, const JobShape& shape, const Refusal& refusal,
                          const NodeState& state) {
    records_[number] = {refusal.length,
                        state.changes().eased(),
                        state.changes().eased(shape.classes),
                        state.changes().eased_otherwise(shape.classes),
                        state.changes().n_freed(),
                        refusal.units,
                        refusal.under,
                        refusal.depends_on_kept};
}

bool NodeRefusals::is_refused(std::uint32_t number, const JobShape& shape, Time length,
                              const NodeState& state, const HeldNodes& held) {
    Record& record = records_[number];
    if (record.length > length || !held.stands(record.under)) return false;
    if (record.depends_on_kept && record.under.count != held.held().size()) return false;
    if (record.eased_in_all == state.changes().eased()) return true;
    return is_refused_still(record, shape, state);
}

// A node on which something was freed adds room for at most as many units as fit on it now. For a
// job on whole nodes it counts as one node even if it is not idle now: with count reservations it
// may become usable later.
bool NodeRefusals::is_refused_still(Record& record, const JobShape& shape, const NodeState& state) {
    const std::uint64_t eased = state.changes().eased(shape.classes);
    if (record.eased != eased) {
        if (record.units == kUnknown ||
            state.changes().n_freed() - record.n_freed >= NodeChanges::kFreed ||
            record.eased_otherwise != state.changes().eased_otherwise(shape.classes))
            return false;
        const bool is_whole = shape.keeping == Keeping::whole_nodes;
        const UnitRoom room(shape.demand);
        for (; record.n_freed < state.changes().n_freed(); ++record.n_freed) {
            const std::int32_t node = state.changes().freed(record.n_freed);
            record.units +=
                is_whole ? gain_of_whole(node, shape, state) : room_now(node, shape, room, state);
        }
        if (record.units >= shape.demand.units &&
            (!is_whole || idle_now(shape, state) >= shape.demand.units)) {
            if (!is_whole) record.units = kUnknown;
            return false;
        }
        record.eased = eased;
    }
    record.n_freed = state.changes().n_freed();
    record.eased_in_all = state.changes().eased();
    return true;
}

bool NodeRefusals::has_idle_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    const std::int64_t idle = idle_now(shape, state);
    if (idle >= shape.demand.units) return true;
    refuse(number, shape, {0, idle, {}, false}, state);
    return false;
}

// The search begins with the node that had room last, because it usually still has.
bool NodeRefusals::has_room_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    const std::vector<std::int32_t>& nodes = *shape.nodes;
    const UnitRoom room(shape.demand);
    std::int64_t units = 0;
    std::size_t at = first_with_room_[number];
    for (std::size_t i = 0; i < nodes.size(); ++i, ++at) {
        if (at >= nodes.size()) at = 0;
        const std::int32_t of_node = room_now(nodes[at], shape, room, state);
        if (of_node > 0 && units == 0) first_with_room_[number] = static_cast<std::uint32_t>(at);
        units += of_node;
        if (units >= shape.demand.units) return true;
    }
    refuse(number, shape, {0, units, {}, false}, state);
    return false;
}

} // namespace slotwise
