#include "availability/node_state.hpp"

#include <algorithm>

namespace slotwise {

NodeState::NodeState(std::shared_ptr<const JobShapes> shapes, Time origin)
    : shapes_(std::move(shapes)), groups_(shapes_->layout().classes, origin),
      counts_(shapes_->layout(), origin, shapes_->shares_nodes()),
      free_groups_(shapes_->layout().n_classes()), changes_(shapes_->layout().n_classes()) {
    const NodeLayout& nodes = layout();
    if (shapes_->tells_users()) tenants_.emplace(nodes.number_of.size());
    away_.assign(nodes.number_of.size(), 0);
    is_idle_.assign(nodes.number_of.size(), 1);
    for (const std::size_t node_class : nodes.class_of)
        free_.push_back(nodes.capacity(node_class));
    with_cores_ = idle_nodes_ = NodeBits(static_cast<std::int32_t>(free_.size()));
    for (std::int32_t node = 0; static_cast<std::size_t>(node) < free_.size(); ++node) {
        with_cores_.add(node);
        idle_nodes_.add(node);
    }
    for (std::size_t c = 0; c < nodes.n_classes(); ++c) {
        n_idle_.push_back(nodes.count(c));
        free_sum_.emplace_back();
        free_sum_.back().add(nodes.count(c), nodes.capacity(c));
    }
    n_busy_.assign(nodes.n_classes(), 0);
    n_away_.assign(nodes.n_classes(), 0);
    n_named_away_.assign(nodes.n_classes(), 0);
    n_reserved_.assign(nodes.n_classes(), 0);
}

void NodeState::advance(Time now) {
    if (now == groups_.now()) return;
    groups_.advance(now);
    counts_.advance(now);
}

void NodeState::plan(const JobShape& shape, std::span<const Place> places, Time begin, Time end,
                     int sign) {
    begin = std::max(begin, now());
    if (end <= begin) return;
    if (tenants_) tenants_->plan(places, shape.tenant, {begin, end}, now(), sign);
    for (std::size_t i = 0; i < places.size();) {
        const std::size_t c = layout().class_of[static_cast<std::size_t>(places[i].node)];
        std::size_t last = i;
        while (last < places.size() && places[last].node < layout().first[c + 1])
            ++last;
        change(c, places.subspan(i, last - i), shape.each_on(c, layout()), begin, end, -sign);
        i = last;
    }
}

void NodeState::plan_away(std::span<const std::int32_t> nodes, Time begin, Time end, int sign) {
    begin = std::max(begin, now());
    if (end <= begin) return;
    for (std::size_t i = 0; i < nodes.size();) {
        const std::size_t c = layout().class_of[static_cast<std::size_t>(nodes[i])];
        scratch_.clear();
        for (; i < nodes.size() && nodes[i] < layout().first[c + 1]; ++i)
            scratch_.push_back({nodes[i], 1});
        change(c, scratch_, layout().capacity(c), begin, end, -sign);
    }
}

// Neighbouring nodes usually belong to the same group, so their counts are changed together.
void NodeState::change(std::size_t node_class, std::span<const Place> places, const Amounts& each,
                       Time begin, Time end, std::int64_t sign) {
    for (std::size_t i = 0; i < places.size();) {
        const std::size_t group = groups_.of(places[i].node);
        const std::size_t first = i;
        while (i < places.size() && places[i].units == places[first].units &&
               groups_.of(places[i].node) == group)
            ++i;
        counts_.note_change(node_class, groups_[group].steps, static_cast<std::int32_t>(i - first),
                            sign * places[first].units * each[0], begin, end);
    }
    groups_.change(places, each, begin, end, sign);
}

void NodeState::note_reserved(std::span<const Place> places, int sign) {
    for (const Place place : places)
        n_reserved_[layout().class_of[static_cast<std::size_t>(place.node)]] += sign;
}

void NodeState::note_away(std::span<const std::int32_t> nodes, int sign) {
    for (const std::int32_t node : nodes)
        n_reserved_[layout().class_of[static_cast<std::size_t>(node)]] += sign;
}

bool NodeState::is_overdrawn() const {
    if (tenants_ && tenants_->is_contradictory(now())) return true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (groups_[g].size == 0) continue;
        if (groups_[g].steps.any_negative()) return true;
    }
    return counts_.is_overdrawn();
}

// Changes a node, and updates the counts of its class.
template <class Change> void NodeState::update(std::int32_t node, Change&& change) {
    const auto n = static_cast<std::size_t>(node);
    const std::size_t c = layout().class_of[n];
    const std::int64_t all = layout().capacity(c)[0];
    const auto count = [&](int sign) {
        const bool is_empty = free_[n][0] == all;
        is_idle_[n] = is_empty && away_[n] == 0 ? 1 : 0;
        n_idle_[c] += sign * is_idle_[n];
        n_busy_[c] += is_empty ? 0 : sign;
        n_named_away_[c] += away_[n] == 0 ? 0 : sign;
        if (away_[n] > 0) return;
        free_sum_[c].add(sign, free_[n]);
    };
    count(-1);
    change(n);
    count(1);
    idle_nodes_.set(node, is_idle_[n] != 0);
    with_cores_.set(node, away_[n] == 0 && free_[n][0] > 0);
}

void NodeState::take(const JobShape& shape, std::span<const Place> places, int sign) {
    if (tenants_) tenants_->take(places, shape.tenant, sign);
    for (const Place place : places) {
        const Amounts& each =
            shape.each_on(layout().class_of[static_cast<std::size_t>(place.node)], layout());
        update(place.node, [&](std::size_t n) { free_[n].add(-sign * place.units, each); });
        changes_.note(place.node, layout().class_of[static_cast<std::size_t>(place.node)],
                      sign < 0);
    }
}

void NodeState::take_away(std::span<const std::int32_t> nodes, int sign) {
    for (const std::int32_t node : nodes) {
        update(node, [&](std::size_t n) { away_[n] += sign; });
        changes_.note(node, layout().class_of[static_cast<std::size_t>(node)], sign < 0);
    }
}

} // namespace slotwise
