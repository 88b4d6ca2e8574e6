#include "availability/node_outages.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

struct Chosen {
    std::vector<std::size_t> classes;
    std::int32_t count; // number of nodes to take from these classes
};

Chosen chosen(const NodeLayout& layout, const NodeChoice& choice, ProcCount processors) {
    Chosen chosen{{}, 0};
    for (std::size_t c = 0; c < layout.n_classes(); ++c) {
        if (choice.type >= 0 && layout.type_of[c] != static_cast<std::size_t>(choice.type))
            continue;
        chosen.classes.push_back(c);
        chosen.count += layout.count(c);
    }
    const std::int32_t wanted = choice.type >= 0 ? choice.count : processors;
    if (wanted > 0) chosen.count = std::min(chosen.count, wanted);
    return chosen;
}

// Adds up to `left` nodes to `away`, in the order of the classes, and subtracts their number from
// `left`. In total, `away` gets at most most_of(class) nodes of each class.
template <class MostOf>
void take_in_order(const Chosen& from, NodesAway& away, std::int32_t& left, MostOf&& most_of) {
    for (const std::size_t c : from.classes) {
        const auto found = std::find_if(away.numbers.begin(), away.numbers.end(),
                                        [&](const auto& number) { return number.first == c; });
        const std::int32_t before = found == away.numbers.end() ? 0 : found->second;
        const std::int32_t taken = std::clamp(most_of(c) - before, 0, left);
        if (taken == 0) continue;
        if (found == away.numbers.end())
            away.numbers.emplace_back(c, taken);
        else
            found->second += taken;
        left -= taken;
    }
}

std::vector<std::int32_t> inner(const NodeLayout& layout, const std::vector<std::int32_t>& named) {
    std::vector<std::int32_t> nodes;
    for (const std::int32_t number : named)
        nodes.push_back(layout.node_of[static_cast<std::size_t>(number)]);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

} // namespace

NodesAway nodes_away(const NodeLayout& layout, const NodeChoice& choice, ProcCount processors) {
    NodesAway away;
    away.named = inner(layout, choice.named);
    if (!away.named.empty()) return away;
    const Chosen from = chosen(layout, choice, processors);
    std::int32_t left = from.count;
    take_in_order(from, away, left, [&](std::size_t c) { return layout.count(c); });
    return away;
}

NodeOutages::NodeOutages(const Site& site, const NodeLayout& layout)
    : site_(&site), layout_(&layout), taken_(site.outages.size()),
      named_(layout.number_of.size(), 0), n_named_(layout.n_classes(), 0),
      n_away_(layout.n_classes(), 0), n_killed_(layout.n_classes(), 0) {}

void NodeOutages::announce(NodeFences& fences, Time now) const {
    for (const Outage& outage : site_->outages)
        if (outage.mode == Outage::Mode::drain)
            fences.announce(recurrence_of(outage),
                            nodes_away(*layout_, outage.nodes, outage.processors), now);
}

// Chooses the nodes of an outage. An outage that kills jobs and names no nodes takes idle nodes
// first, then nodes with jobs, then nodes that are already unavailable. Each of these three steps
// goes through the classes in order. Jobs are then killed class by class, in the same order.
NodesAway NodeOutages::away_at_begin(const Outage& outage, const NodeState& state) const {
    if (outage.mode == Outage::Mode::drain || !outage.nodes.named.empty())
        return nodes_away(*layout_, outage.nodes, outage.processors);
    NodesAway away;
    const Chosen from = chosen(*layout_, outage.nodes, outage.processors);
    std::int32_t left = from.count;
    take_in_order(from, away, left, [&](std::size_t c) { return present(c) - state.busy(c); });
    take_in_order(from, away, left, [&](std::size_t c) { return present(c); });
    take_in_order(from, away, left, [&](std::size_t c) { return layout_->count(c); });
    std::sort(away.numbers.begin(), away.numbers.end());
    return away;
}

void NodeOutages::begin(std::uint32_t index, Time time, NodeState& state) {
    const Outage& outage = site_->outages[index];
    const bool announced = outage.mode == Outage::Mode::drain;
    taken_[index] = away_at_begin(outage, state);
    move(taken_[index], !announced, 1, state);
    if (!announced) plan_away(taken_[index], time, time + outage.duration, 1, state);
    note(time);
}

void NodeOutages::end(std::uint32_t index, Time time, NodeState& state) {
    move(taken_[index], site_->outages[index].mode != Outage::Mode::drain, -1, state);
    note(time);
}

void NodeOutages::begin_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state) {
    NodesAway away;
    away.named.assign(nodes.begin(), nodes.end());
    if (nodes.empty()) away = nodes_away(*layout_, {}, 0);
    move(away, true, 1, state);
    plan_away(away, time, time + site_->crashes.repair, 1, state);
    note(time);
}

void NodeOutages::end_repair(std::span<const std::int32_t> nodes, Time time, NodeState& state) {
    NodesAway away;
    away.named.assign(nodes.begin(), nodes.end());
    if (nodes.empty()) away = nodes_away(*layout_, {}, 0);
    move(away, true, -1, state);
    note(time);
}

std::int32_t NodeOutages::present(std::size_t node_class) const {
    return std::max(layout_->count(node_class) - n_named_[node_class] - n_away_[node_class], 0);
}

void NodeOutages::move(const NodesAway& away, bool kills, int sign, NodeState& state) {
    for (const auto& [c, nodes] : away.numbers) {
        n_away_[c] += sign * nodes;
        if (kills) n_killed_[c] += sign * nodes;
        state.take_away(c, nodes, sign);
    }
    for (const std::int32_t node : away.named) {
        std::int32_t& n_naming = named_[static_cast<std::size_t>(node)];
        const bool was_away = n_naming > 0;
        n_naming += sign;
        if (was_away != (n_naming > 0))
            n_named_[layout_->class_of[static_cast<std::size_t>(node)]] += sign;
    }
    state.take_away(away.named, sign);
}

void NodeOutages::note(Time time) {
    std::int64_t cores = 0;
    for (std::size_t c = 0; c < layout_->n_classes(); ++c)
        cores += present(c) * layout_->capacity(c)[0];
    const auto processors = static_cast<ProcCount>(cores);
    if (!capacity_.empty() && capacity_.back().time == time)
        capacity_.back().processors = processors;
    else
        capacity_.push_back({time, processors});
}

} // namespace slotwise
