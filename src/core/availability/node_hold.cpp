// Part of NodeSearch: determines the nodes, or node counts, that a reservation takes, and tests
// whether they still fit.
#include "availability/node_search.hpp"

#include <algorithm>

namespace slotwise {

std::vector<std::size_t> HoldRules::classes_in_order() const {
    std::vector<std::size_t> classes = shape_.classes;
    if (!ranks_by_free(state_.shapes().demands().rule)) return classes;
    std::stable_sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) {
        return shape_.left_on_idle(a, state_.layout()) < shape_.left_on_idle(b, state_.layout());
    });
    return classes;
}

bool HoldRules::counts_by_class() const {
    if (shape_.classes.size() == 1) return true;
    if (shape_.interleaves) return false;
    if (shape_.keeping == Keeping::whole_nodes) return true;
    return !ranks_by_free(state_.shapes().demands().rule) && is_unreserved();
}

bool HoldRules::is_unreserved() const {
    return std::none_of(shape_.classes.begin(), shape_.classes.end(), [&](std::size_t c) {
        return state_.has_reserved(c) || state_.counts().keeps(c);
    });
}

// When another job starts, the reservation keeps the same nodes if two conditions are met: the
// nodes or classes have a fixed order, and the reserved nodes are still available to the job that
// holds the reservation.
HoldRules::MovedBy HoldRules::moved_by() const {
    if (shape_.keeping == Keeping::whole_nodes)
        return counts_by_class() ? MovedBy::nothing : MovedBy::starts;
    if (shape_.keeping == Keeping::cores)
        return counts_by_class() && is_unreserved() ? MovedBy::nothing : MovedBy::starts;
    const bool is_by_free = ranks_by_free(state_.shapes().demands().rule);
    if (is_by_free || keeps_numbers(state_.now(), kNever)) return MovedBy::starts;
    return state_.shapes().busy_nodes_first() ? MovedBy::starts_on_idle_nodes : MovedBy::nothing;
}

bool HoldRules::keeps_numbers(Time from, Time to) const {
    return std::any_of(shape_.classes.begin(), shape_.classes.end(),
                       [&](std::size_t c) { return state_.counts().keeps_within(c, from, to); });
}

bool NodeSearch::hold(Time from, Time to, NodeHold& hold) {
    hold.clear();
    if (shape_.keeping == Keeping::places) {
        const bool fits = take_shared({from, to, false}, nullptr, hold.places);
        if (!fits) hold.clear();
        return fits;
    }
    return (!rules_.counts_by_class() && hold_by_node({from, to, false}, hold)) ||
           hold_by_class(from, to, hold);
}

// Finds the places that the placement rule selects, and counts their units in each class.
bool NodeSearch::hold_by_node(const Period& period, NodeHold& hold) {
    std::vector<Place> places;
    if (shape_.keeping == Keeping::cores) {
        if (!take_shared(period, nullptr, places)) return false;
    } else {
        Budget budget(state_.layout().n_classes(), 0);
        for (const std::size_t c : shape_.classes)
            budget[c] = nodes_left(c, period.from, period.to);
        if (!take_whole(period, budget, places)) return false;
    }
    for (const Place place : places) {
        const std::size_t c = state_.layout().class_of[static_cast<std::size_t>(place.node)];
        if (hold.numbers.empty() || hold.numbers.back().first != c) hold.numbers.emplace_back(c, 0);
        hold.numbers.back().second += place.units;
    }
    return true;
}

bool NodeSearch::hold_by_class(Time from, Time to, NodeHold& hold) {
    std::int32_t left = shape_.demand.units;
    for (const std::size_t c : rules_.classes_in_order()) {
        const std::int32_t room = shape_.keeping == Keeping::whole_nodes
                                      ? nodes_left(c, from, to)
                                      : state_.counts().cores_left(c, from, to);
        const std::int32_t taken = std::min(room, left);
        if (taken > 0) hold.numbers.emplace_back(c, taken);
        left -= taken;
    }
    return left == 0;
}

bool NodeSearch::has_room(const NodeHold& hold, Time from, Time to) {
    const NodeCounts& counts = state_.counts();
    for (const auto& [c, number] : hold.numbers) {
        const bool fits = shape_.keeping == Keeping::whole_nodes
                              ? counts.nodes_left(c, from, to) >= number
                              : counts.cores_left(c, from, to) >= number;
        if (!fits) return false;
    }
    return hold.places.empty() || leaves_room(hold.places, {from, to, false});
}

// Returns true if the places are free, and every count reservation can still be met without them.
bool NodeSearch::leaves_room(const std::vector<Place>& places, const Period& period) {
    forget_kept();
    const bool leaves = std::all_of(places.begin(), places.end(), [&](const Place place) {
        return room_on(place.node, period) >= place.units &&
               allowed(place.node, place.units, period) == place.units;
    });
    state_.counts().undo();
    return leaves;
}

} // namespace slotwise
