#include "availability/node_fences.hpp"

#include "availability/pools/pool_plan.hpp"

#include <algorithm>

namespace slotwise {

void plan_away(const NodesAway& away, Time from, Time to, int sign, NodeState& state) {
    for (const auto& [node_class, nodes] : away.numbers)
        state.counts().keep_nodes(node_class, from, to, sign * nodes);
    state.plan_away(away.named, from, to, sign);
    state.note_away(away.named, sign);
}

void NodeFences::announce(const Recurrence& windows, NodesAway away, Time now) {
    announced_.push_back({windows, std::move(away), windows.first_ending_after(now)});
    next_ = std::min(next_, announced_.back().next);
}

Time NodeFences::first_beginning_from(Time time) const {
    Time first = kNever;
    for (const Announced& each : announced_)
        first = std::min(first, each.windows.first_beginning_from(time));
    return first;
}

bool NodeFences::names(std::int32_t node, Time from, Time to) const {
    return std::any_of(announced_.begin(), announced_.end(), [&](const Announced& each) {
        return std::binary_search(each.away.named.begin(), each.away.named.end(), node) &&
               each.windows.first_ending_after(from) < to;
    });
}

void NodeFences::check_ahead(Time now, Time before) const {
    double n_windows = 0;
    for (const auto& [windows, away, next] : announced_) {
        const Time since = std::max(now, windows.start);
        if (windows.every > 0 && since < before)
            n_windows += static_cast<double>(before - since) / static_cast<double>(windows.every);
    }
    refuse_windows_ahead(n_windows, now, before);
}

bool NodeFences::plan(Time before, NodeState& state) {
    check_ahead(state.now(), before);
    next_ = kNever;
    for (auto& [windows, away, next] : announced_) {
        while (next < before) {
            plan_away(away, next, next + windows.duration, 1, state);
            next = windows.every > 0 ? next + windows.every : kNever;
        }
        next_ = std::min(next_, next);
    }
    return true;
}

} // namespace slotwise
