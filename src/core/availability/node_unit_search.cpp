// NodeSearch: room for the only unit of a job, which is tested by groups of nodes.
#include "availability/node_search.hpp"

#include <algorithm>

namespace slotwise {

// True for one unit if, besides, the nodes of a group are all alike.
bool NodeSearch::is_one_unit() const {
    return takes_one_unit(shape_.demand) && state_.tenants() == nullptr;
}

// True if some group has room for a unit, beside the count reservations. Then each of its nodes
// has, unless a job is on the node now that was planned to have ended.
bool NodeSearch::has_group_for_unit(const Window& window) {
    forget_kept();
    const NodeGroups& groups = state_.groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (groups[g].size > 0 && room_of_group(g, window.from, window.to) > 0 &&
            allowed_on(g, 1, window) > 0)
            return true;
    return false;
}

// Same as has_group_for_unit() from now on, and whether any group would have room without the count
// reservations. Reads only groups with enough free cores, and their limits are computed once for
// all jobs.
NodeSearch::ForUnit NodeSearch::opening_for_unit(const Window& window) {
    const NodeCounts& counts = state_.counts();
    ForUnit found = ForUnit::no_room;
    for (const std::size_t c : shape_.classes) {
        const std::int64_t each = shape_.each_on(c, state_.layout())[0];
        const bool keeps = counts.keeps(c);
        const bool has_cores = !keeps || counts.cores_left(c, window.from, window.to) >= each;
        if (!has_cores && found == ForUnit::reserved) continue;
        for (NodeOpenings::Opening& opening : state_.openings(c)) {
            if (opening.cores < each || !holds_unit(opening.group, window)) continue;
            if (!keeps) return ForUnit::room;
            found = ForUnit::reserved;
            if (!has_cores) break;
            if (NodeOpenings::kept_from(opening, state_.groups(), counts) >= window.to)
                return ForUnit::room;
        }
    }
    return found;
}

// True if a unit fits on a node of the group throughout the window, regardless of count
// reservations.
bool NodeSearch::holds_unit(std::size_t group, const Window& window) const {
    const NodeGroups::Group& nodes = state_.groups()[group];
    if (shape_.whole[nodes.node_class] != 0)
        return std::any_of(nodes.idle.begin(), nodes.idle.end(), [&](const Stretch& idle) {
            return idle.begin <= window.from && idle.end >= window.to;
        });
    const FreeSteps& steps = nodes.steps;
    for (std::size_t i = steps.at(window.from); i < steps.size() && steps.begin(i) < window.to; ++i)
        if (room_(steps.free(i)) == 0) return false;
    return true;
}

} // namespace slotwise
