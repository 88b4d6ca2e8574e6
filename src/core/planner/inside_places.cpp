#include "planner/inside_places.hpp"

#include "availability/node_search.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace slotwise {

namespace {

// Returns a copy of the shape, restricted to the nodes in `named`, which must make up whole node
// classes.
JobShape only_on(std::span<const std::int32_t> named, JobShape shape, const NodeLayout& layout) {
    const auto excludes = [&](std::int32_t node) {
        return !std::binary_search(named.begin(), named.end(), node);
    };
    for (std::size_t c = 0; c < layout.n_classes(); ++c)
        if (excludes(layout.first[c])) shape.room[c] = 0;
    std::erase_if(shape.classes, [&](std::size_t c) { return shape.room[c] == 0; });
    std::vector<std::int32_t> nodes = *shape.nodes;
    std::erase_if(nodes, excludes);
    shape.nodes = std::make_shared<const std::vector<std::int32_t>>(std::move(nodes));
    return shape;
}

// Returns the idle nodes of the classes in `left`, in placement order, each with the number of
// units of the job that fit on it.
std::vector<Place> idle_nodes(const JobShape& shape, const NodeReservations::Numbers& left,
                              const NodeState& state) {
    const NodeLayout& layout = state.layout();
    std::vector<Place> offers;
    for (const std::int32_t node : *shape.nodes) {
        const std::size_t c = layout.class_of[static_cast<std::size_t>(node)];
        const bool is_kept = std::any_of(left.begin(), left.end(), [&](const auto& number) {
            return number.first == c && number.second > 0;
        });
        if (is_kept && state.is_idle(node)) offers.push_back({node, shape.room[c]});
    }
    if (ranks_by_free(state.shapes().demands().rule))
        std::stable_sort(offers.begin(), offers.end(), [&](const Place& a, const Place& b) {
            const auto left_on = [&](std::int32_t node) {
                return shape.left_on_idle(layout.class_of[static_cast<std::size_t>(node)], layout);
            };
            return left_on(a.node) < left_on(b.node);
        });
    return offers;
}

} // namespace

bool place_on_kept(const JobShape& shape, const KeptNodes& kept, Time length, NodeState& state,
                   std::vector<Place>& places) {
    const JobShape own = only_on(kept.named, shape, state.layout());
    state.plan_away(kept.named, state.now(), kept.until, -1);
    state.take_away(kept.named, -1);
    const bool fits = NodeSearch(state, own).find_now(length, places);
    state.take_away(kept.named, 1);
    state.plan_away(kept.named, state.now(), kept.until, 1);
    return fits;
}

bool place_by_number(const JobShape& shape, NodeReservations::Numbers left, const NodeState& state,
                     std::vector<Place>& places) {
    const std::vector<Place> offers = idle_nodes(shape, left, state);
    const bool counts_nodes = shape.demand.nodes > 0;
    std::int32_t units = shape.demand.units;
    std::int32_t to_come = counts_nodes ? shape.demand.nodes : units;
    places.clear();
    for (auto offer = offers.begin(); offer != offers.end() && units > 0 && to_come > 0; ++offer) {
        const std::size_t c = state.layout().class_of[static_cast<std::size_t>(offer->node)];
        const auto number = std::find_if(left.begin(), left.end(),
                                         [&](const auto& each) { return each.first == c; });
        std::int32_t taken = std::min(offer->units, units);
        if (counts_nodes) {
            const std::int64_t behind = NodeSearch::most_on({offer + 1, offers.end()}, to_come - 1);
            taken = std::min(taken, units - (to_come - 1));
            if (behind < 0 || taken + behind < units) continue;
        }
        if (number->second <= 0) continue;
        --number->second;
        --to_come;
        units -= taken;
        places.push_back({offer->node, taken});
    }
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.node < b.node; });
    return units == 0 && (!counts_nodes || to_come == 0);
}

} // namespace slotwise
