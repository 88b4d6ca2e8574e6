#include "availability/free_groups/free_groups.hpp"

#include <algorithm>

namespace slotwise {

std::span<FreeGroup> FreeGroups::of(std::size_t node_class, const NodeGroups& groups,
                                    const NodeCounts& counts) {
    OfClass& of = of_class_[node_class];
    if (of.now == groups.now() && of.n_changes == counts.n_changes(node_class)) return of.free;
    of.now = groups.now();
    of.n_changes = counts.n_changes(node_class);
    of.free.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const NodeGroups::Group& group = groups[g];
        if (group.size == 0 || group.node_class != node_class) continue;
        const std::int64_t cores = group.steps.free(group.steps.at(of.now))[0];
        if (cores > 0) of.free.push_back({g, cores, kUnknown});
    }
    return of.free;
}

Time FreeGroups::first_kept(const NodeGroups::Group& group, Time now, const NodeCounts& counts) {
    for (const IdleSpan& idle : group.idle) {
        if (idle.end <= now) continue;
        const Time kept = counts.first_without_idle(group.node_class, std::max(idle.begin, now));
        if (kept < idle.end) return kept;
        if (kept == kNever) break;
    }
    return kNever;
}

} // namespace slotwise
