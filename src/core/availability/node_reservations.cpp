#include "availability/node_reservations.hpp"

#include <algorithm>

namespace slotwise {

NodeReservations::NodeReservations(const Site& site, const NodeLayout& layout)
    : site_(&site), layout_(&layout), open_(site.reservations.size()) {
    for (const UserReservation& reservation : site.reservations)
        nodes_.push_back(nodes_away(layout, reservation.nodes, reservation.processors));
}

void NodeReservations::announce(NodeFences& fences, Time now) const {
    for (std::size_t index = 0; index < nodes_.size(); ++index)
        fences.announce(recurrence_of(site_->reservations[index]), nodes_[index], now);
}

void NodeReservations::begin(std::uint32_t index, Time time, NodeState& state) {
    open_[index] = {time + site_->reservations[index].duration, nodes_[index].numbers};
    for (const auto& [node_class, nodes] : nodes_[index].numbers)
        state.take_away(node_class, nodes, 1);
    state.take_away(nodes_[index].named, 1);
}

void NodeReservations::end(std::uint32_t index, NodeState& state) {
    for (const auto& [node_class, nodes] : open_[index].left)
        state.take_away(node_class, nodes, -1);
    state.take_away(nodes_[index].named, -1);
    open_[index] = {};
    std::erase_if(inside_, [&](const auto& entry) { return entry.second.index == index; });
}

std::int32_t NodeReservations::named_left(std::uint32_t index, const NodeState& state) const {
    const std::vector<std::int32_t>& named = nodes_[index].named;
    // The open reservation itself takes each of its nodes away once.
    return static_cast<std::int32_t>(
        std::count_if(named.begin(), named.end(), [&](std::int32_t node) {
            return !state.has_job(node) && state.n_away(node) == 1;
        }));
}

bool NodeReservations::is_full(std::uint32_t index) const {
    const Numbers& left = open_[index].left;
    return nodes_[index].named.empty() &&
           std::all_of(left.begin(), left.end(), [](const auto& each) { return each.second == 0; });
}

// Keeps these nodes for the reservation until `to` (sign 1), or gives them to a job inside it (sign
// −1).
void NodeReservations::keep(const Numbers& numbers, Time to, int sign, NodeState& state) const {
    for (const auto& [node_class, nodes] : numbers)
        state.counts().keep_nodes(node_class, state.now(), to, sign * nodes);
}

void NodeReservations::enter(std::uint32_t index, JobId job, std::span<const Place> places,
                             Time planned_end, NodeState& state) {
    Inside inside{index, {}};
    Open& open = open_[index];
    for (auto& [node_class, left] : open.left) {
        const auto used = static_cast<std::int32_t>(
            std::count_if(places.begin(), places.end(), [&](const Place place) {
                return layout_->class_of[static_cast<std::size_t>(place.node)] == node_class;
            }));
        if (used == 0) continue;
        left -= used;
        inside.nodes.emplace_back(node_class, used);
        state.take_away(node_class, used, -1);
    }
    keep(inside.nodes, std::min(planned_end, open.until), -1, state);
    inside_.emplace(job, std::move(inside));
}

void NodeReservations::leave(JobId job, Time planned_end, NodeState& state) {
    const auto entry = inside_.find(job);
    const Inside& inside = entry->second;
    Open& open = open_[inside.index];
    keep(inside.nodes, std::min(planned_end, open.until), 1, state);
    for (const auto& [node_class, used] : inside.nodes) {
        state.take_away(node_class, used, 1);
        for (auto& [of, left] : open.left)
            if (of == node_class) left += used;
    }
    inside_.erase(entry);
}

void NodeReservations::prolong(JobId job, Time planned_end, Time end, NodeState& state) {
    const Inside& inside = inside_.at(job);
    const Time until = open_[inside.index].until;
    keep(inside.nodes, std::min(planned_end, until), 1, state);
    keep(inside.nodes, std::min(end, until), -1, state);
}

} // namespace slotwise
