// Part of NodePlan: chooses the nodes of a job.
#include "machine/nodes/node_plan.hpp"
#include "machine/nodes/part_left.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

// On the nodes that the job keeps, only two spans change: the job takes the part of its new span
// that is before `from`, and releases the part of its old span that is after its new end.
void NodePlan::move(const PlannedDemand& asked, Time duration, Time from, Time to,
                    std::vector<Place>& places) {
    const Amounts& each = asked.demand.each;
    const NodeGroups::Span spans[] = {{to, std::min(to + duration, from), -1},
                                      {std::max(to + duration, from), from + duration, 1}};
    own_places_ = places;
    find_places({asked, to, to + duration, own_places_, from}, places);
    compare_places(places);
    if (!kept_.empty()) groups_.change(kept_, each, spans);
    if (!left_.empty()) groups_.change(left_, each, from, from + duration, 1);
    if (!joined_.empty()) groups_.change(joined_, each, to, to + duration, -1);
    const std::int64_t units = asked.demand.units;
    const FreeSteps::Change sums[] = {{spans[0].begin, spans[0].end, &each, -units},
                                      {spans[1].begin, spans[1].end, &each, units}};
    sum_.add(groups_.now(), sums);
}

// Divides own_places_ into kept_, whose nodes are also in `places`, and left_, whose nodes are not.
// Lists the places on new nodes in joined_.
void NodePlan::compare_places(std::span<const Place> places) {
    const std::span<const Place> before = own_places_;
    std::size_t i = 0;
    for (auto& part : {&kept_, &joined_, &left_})
        part->clear();
    for (const Place place : places) {
        while (i < before.size() && before[i].node < place.node)
            left_.push_back(before[i++]);
        const bool is_kept = i < before.size() && before[i].node == place.node;
        (is_kept ? kept_ : joined_).push_back(place);
        i += is_kept ? 1 : 0;
    }
    left_.insert(left_.end(), before.begin() + static_cast<std::ptrdiff_t>(i), before.end());
}

void NodePlan::place(const PlannedDemand& asked, Time from, Time duration,
                     std::vector<Place>& places) const {
    find_places({asked, from, from + duration, {}, kNever}, places);
}

void NodePlan::find_places(const Wanted& wanted, std::vector<Place>& places) const {
    room_of_.assign(groups_.size(), -1);
    own_room_of_.assign(wanted.own.empty() ? 0 : groups_.size(), -1);
    places.clear();
    if (ranks_by_free(wanted.asked.rule))
        place_best(wanted, places);
    else
        place_in_order(wanted, places);
    if (wanted.asked.in_node_order) return;
    const auto before = [](const Place& a, const Place& b) { return a.node < b.node; };
    if (!std::is_sorted(places.begin(), places.end(), before))
        std::sort(places.begin(), places.end(), before);
}

// Calls visit(node, units) for each node of the class that has room for at least one unit. Stops
// when visit() returns false.
template <class Visit>
void NodePlan::visit_room(std::size_t node_class, const Wanted& wanted, Visit&& visit) const {
    const std::int32_t begin = first_[node_class];
    const std::span<const std::int32_t> nodes = groups_.of_nodes(begin, first_[node_class + 1]);
    const auto by_node = [](const Place& place, std::int32_t node) { return place.node < node; };
    auto own = std::lower_bound(wanted.own.begin(), wanted.own.end(), begin, by_node);
    const auto next_own = [&] { return own == wanted.own.end() ? -1 : own->node - begin; };
    std::int32_t mine = next_own();
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(nodes.size()); ++i) {
        const auto group = static_cast<std::size_t>(nodes[static_cast<std::size_t>(i)]);
        const bool is_own = i == mine;
        std::int32_t& fit = is_own ? own_room_of_[group] : room_of_[group];
        if (is_own) {
            ++own;
            mine = next_own();
        }
        if (fit == 0) continue;
        const Time to = is_own ? std::min(wanted.to, wanted.given_back) : wanted.to;
        if (fit < 0) fit = least_room(group, wanted.asked, wanted.from, to);
        if (fit > 0 && !visit(begin + i, fit)) return;
    }
}

void NodePlan::place_in_order(const Wanted& wanted, std::vector<Place>& places) const {
    std::int32_t left = wanted.asked.demand.units;
    for (const std::size_t c : wanted.asked.classes) {
        if (left == 0) return;
        visit_room(c, wanted, [&](std::int32_t node, std::int32_t fit) {
            places.push_back({node, std::min(fit, left)});
            left -= places.back().units;
            return left > 0;
        });
    }
}

void NodePlan::place_best(const Wanted& wanted, std::vector<Place>& places) const {
    std::vector<std::pair<double, Place>> offers; // first: result of part_left() for the place
    for (const std::size_t c : wanted.asked.classes)
        visit_room(c, wanted, [&](std::int32_t node, std::int32_t fit) {
            offers.push_back({part_left(free(node, wanted.from), fit, wanted.asked.demand.each,
                                        nodes_->classes[c].capacity),
                              {node, fit}});
            return true;
        });
    std::stable_sort(offers.begin(), offers.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::int32_t left = wanted.asked.demand.units;
    for (std::size_t i = 0; i < offers.size() && left > 0; ++i) {
        places.push_back({offers[i].second.node, std::min(offers[i].second.units, left)});
        left -= places.back().units;
    }
}

} // namespace slotwise
