#include "availability/free_groups/unit_fit.hpp"

#include <algorithm>

namespace slotwise {

bool holds_unit(const NodeState& state, const JobShape& shape, std::size_t group, Time from,
                Time to) {
    const NodeGroups::Group& nodes = state.groups()[group];
    if (shape.whole[nodes.node_class] != 0)
        return std::any_of(nodes.idle.begin(), nodes.idle.end(), [&](const IdleSpan& idle) {
            return idle.begin <= from && idle.end >= to;
        });
    const FreeSteps& steps = nodes.steps;
    const auto lacks = [&](std::size_t i) {
        const AmountsView free = steps.free(i);
        for (std::size_t r = 0; r < shape.demand.each.size(); ++r)
            if (shape.demand.each[r] > free[r] && shape.demand.each[r] > 0) return true;
        return false;
    };
    for (std::size_t i = steps.at(from); i < steps.size() && steps.begin(i) < to; ++i)
        if (lacks(i)) return false;
    return true;
}

UnitFit unit_fit(NodeState& state, const JobShape& shape, Time to) {
    const NodeCounts& counts = state.counts();
    UnitFit found = UnitFit::no_room;
    for (const std::size_t c : shape.classes) {
        const std::int64_t each = shape.each_on(c, state.layout())[0];
        const bool keeps = counts.keeps(c);
        const bool has_cores = !keeps || counts.cores_left(c, state.now(), to) >= each;
        if (!has_cores && found == UnitFit::reserved) continue;
        for (FreeGroup& free : state.free_groups(c)) {
            if (free.cores < each || !holds_unit(state, shape, free.group, state.now(), to))
                continue;
            if (!keeps) return UnitFit::room;
            found = UnitFit::reserved;
            if (!has_cores) break;
            if (FreeGroups::kept_from(free, state.groups(), counts) >= to) return UnitFit::room;
        }
    }
    return found;
}

std::int32_t idle_throughout(const NodeState& state, std::size_t node_class, Time from, Time to) {
    std::int32_t nodes = 0;
    for (std::size_t g = 0; g < state.groups().size(); ++g) {
        const NodeGroups::Group& group = state.groups()[g];
        if (group.size == 0 || group.node_class != node_class) continue;
        for (const IdleSpan& idle : group.idle)
            if (idle.begin <= from && idle.end >= to) nodes += group.size;
    }
    return nodes;
}

} // namespace slotwise
