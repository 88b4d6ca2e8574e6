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

std::int64_t idle_now(const JobShape& shape, const NodeState& state) {
    std::int64_t nodes = 0;
    for (const std::size_t c : shape.classes)
        nodes += state.idle(c);
    return nodes;
}

} // namespace

NodeRefusals::NodeRefusals(const JobShapes& shapes, std::span<const PoolId> pool_of_class,
                           std::size_t n_pools)
    : records_(shapes.size()), known_from_(shapes.size(), kNever), noted_under_(n_pools),
      classes_of_(shapes.size(), 0), classes_of_pool_(n_pools, 0), eased_(pool_of_class.size(), 0),
      last_with_room_(shapes.size(), -1) {
    for (std::uint32_t shape = 0; shape < shapes.size(); ++shape)
        for (const std::size_t c : shapes[shape].classes)
            classes_of_[shape] |= bit_of(c);
    for (std::size_t c = 0; c < pool_of_class.size(); ++c)
        classes_of_pool_[pool_of_class[c]] |= bit_of(c);
}

void NodeRefusals::follow(const NodeState& state) {
    if (eased_in_all_ == state.changes().eased()) return;
    eased_in_all_ = state.changes().eased();
    Classes changed = 0;
    for (std::size_t c = 0; c < eased_.size(); ++c) {
        const std::uint64_t eased = state.changes().eased({&c, 1});
        if (eased_[c] != eased) changed |= bit_of(c);
        eased_[c] = eased;
    }
    forget_known(changed);
}

void NodeRefusals::forget_known(Classes classes) {
    std::erase_if(known_, [&](std::uint32_t shape) {
        if ((classes_of_[shape] & classes) == 0) return false;
        known_from_[shape] = kNever;
        return true;
    });
}

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
    return records_[number].length <= length && refused_from(number, shape, state, held) <= length;
}

Time NodeRefusals::refused_from(std::uint32_t number, const JobShape& shape, const NodeState& state,
                                const HeldNodes& held) {
    Record& record = records_[number];
    if (record.length == kNever || !held.stands(record.under)) return kNever;
    if (record.depends_on_kept && record.under.count != held.held().size()) return kNever;
    const bool is_refused =
        record.eased_in_all == state.changes().eased() || is_refused_still(record, shape, state);
    return is_refused ? record.length : kNever;
}

// Each node on which something was freed since the refusal can add at most the units that fit on it
// now. For a job on whole nodes, each such node is counted as one node, even if it is not idle now.
bool NodeRefusals::is_refused_still(Record& record, const JobShape& shape, const NodeState& state) {
    const NodeChanges& changes = state.changes();
    const std::uint64_t eased = changes.eased(shape.classes);
    if (record.eased == eased) {
        record.n_freed = changes.n_freed();
    } else {
        const std::uint64_t otherwise = changes.eased_otherwise(shape.classes);
        if (record.units == kUnknown || record.eased_otherwise != otherwise) return false;
        if (shape.keeping == Keeping::whole_nodes) {
            const auto n_freed = static_cast<std::int64_t>(eased - record.eased);
            if (record.units + n_freed >= shape.demand.units &&
                idle_now(shape, state) >= shape.demand.units)
                return false;
        } else {
            if (!add_freed(record, shape, state)) return false;
            record.eased = eased;
        }
    }
    record.eased_in_all = changes.eased();
    return true;
}

// Adds to the record the units that fit on the nodes freed since the refusal. Returns false if the
// job may fit now.
bool NodeRefusals::add_freed(Record& record, const JobShape& shape, const NodeState& state) {
    if (state.changes().n_freed() - record.n_freed >= NodeChanges::kFreed) return false;
    const UnitRoom room(shape.demand);
    for (; record.n_freed < state.changes().n_freed(); ++record.n_freed)
        record.units += room_now(state.changes().freed(record.n_freed), shape, room, state);
    if (record.units < shape.demand.units) return true;
    record.units = kUnknown;
    return false;
}

bool NodeRefusals::has_idle_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    const std::int64_t idle = idle_now(shape, state);
    if (idle >= shape.demand.units) return true;
    refuse(number, shape, {0, idle, {}, false}, state);
    return false;
}

// First tries the node that had room last time, because it usually still does.
bool NodeRefusals::has_room_now(std::uint32_t number, const JobShape& shape,
                                const NodeState& state) {
    const UnitRoom room(shape.demand);
    std::int32_t& last = last_with_room_[number];
    if (last >= 0 && room_now(last, shape, room, state) >= shape.demand.units) return true;
    std::int64_t units = 0;
    for (const std::size_t c : shape.classes)
        state.with_cores().for_each_in(
            state.layout().first[c], state.layout().first[c + 1], [&](std::int32_t node) {
                const std::int32_t of_node = room_now(node, shape, room, state);
                if (of_node > 0) last = node;
                units += of_node;
                return units < shape.demand.units;
            });
    if (units >= shape.demand.units) return true;
    refuse(number, shape, {0, units, {}, false}, state);
    return false;
}

} // namespace slotwise
