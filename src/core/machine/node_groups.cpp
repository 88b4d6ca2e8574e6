#include "machine/node_groups.hpp"

#include <algorithm>

namespace slotwise {

NodeGroups::NodeGroups(const Nodes& nodes, Time origin) : now_(origin) {
    for (const NodeClass& nodes_of_class : nodes.classes) {
        const std::size_t group = groups_.size();
        groups_.push_back(
            {FreeSteps(origin, nodes_of_class.capacity), nodes_of_class.count, group});
        group_of_.insert(group_of_.end(), static_cast<std::size_t>(nodes_of_class.count),
                         static_cast<std::int32_t>(group));
        marks_.push_back(groups_.back().steps.mark());
    }
    first_part_.assign(groups_.size(), -1);
    into_.assign(groups_.size(), -1);
}

// What lies in the past no longer tells nodes apart.
void NodeGroups::advance(Time now) {
    now_ = now;
    if (now < next_) return;
    next_ = kNever;
    const std::size_t vacant = vacant_.size();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (groups_[g].size == 0) continue;
        const bool changes = groups_[g].steps.end_of(0) <= now;
        if (changes) groups_[g].steps.forget_before(now);
        note_change(g);
        if (changes) join_twin(g);
    }
    if (vacant_.size() == vacant) return;
    for (std::int32_t& group : group_of_)
        group = joined(group);
    for (std::size_t i = vacant; i < vacant_.size(); ++i)
        into_[static_cast<std::size_t>(vacant_[i])] = -1;
}

void NodeGroups::change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                        std::int64_t sign) {
    if (end <= begin) return;
    parts_.clear();
    part_of_.clear();
    for (const Place place : places) {
        const std::int32_t group = group_of_[static_cast<std::size_t>(place.node)];
        part_of_.push_back(part_for(group, place.units));
    }
    for (Part& part : parts_) {
        first_part_[static_cast<std::size_t>(part.group)] = -1;
        part.becomes = split(part);
        const auto group = static_cast<std::size_t>(part.becomes);
        groups_[group].steps.add(now_, begin, end, each, sign * part.units);
        note_change(group);
    }
    const std::size_t vacant = vacant_.size();
    for (const Part& part : parts_)
        join_twin(static_cast<std::size_t>(part.becomes));
    for (std::size_t i = 0; i < places.size(); ++i)
        group_of_[static_cast<std::size_t>(places[i].node)] =
            joined(parts_[static_cast<std::size_t>(part_of_[i])].becomes);
    for (std::size_t i = vacant; i < vacant_.size(); ++i)
        into_[static_cast<std::size_t>(vacant_[i])] = -1;
}

// Counts one more node.
std::int32_t NodeGroups::part_for(std::int32_t group, std::int32_t units) {
    std::int32_t& first = first_part_[static_cast<std::size_t>(group)];
    for (std::int32_t p = first; p >= 0; p = parts_[static_cast<std::size_t>(p)].next) {
        Part& part = parts_[static_cast<std::size_t>(p)];
        if (part.units != units) continue;
        ++part.count;
        return p;
    }
    parts_.push_back({group, units, 1, first, -1});
    first = static_cast<std::int32_t>(parts_.size()) - 1;
    return first;
}

// The group of the nodes of a part alone: its own, if there are no others.
std::int32_t NodeGroups::split(const Part& part) {
    const auto from = static_cast<std::size_t>(part.group);
    if (groups_[from].size == part.count) return part.group;
    groups_[from].size -= part.count;
    if (vacant_.empty()) {
        vacant_.push_back(static_cast<std::int32_t>(groups_.size()));
        groups_.push_back(groups_[from]);
        marks_.push_back(0);
        first_part_.push_back(-1);
        into_.push_back(-1);
    }
    const std::int32_t group = vacant_.back();
    vacant_.pop_back();
    groups_[static_cast<std::size_t>(group)] = groups_[from];
    groups_[static_cast<std::size_t>(group)].size = part.count;
    return group;
}

void NodeGroups::note_change(std::size_t group) {
    const FreeSteps& steps = groups_[group].steps;
    marks_[group] = steps.mark();
    next_ = std::min(next_, steps.end_of(0));
}

// Has the nodes of a group join another whose nodes are like them, if there is one.
void NodeGroups::join_twin(std::size_t group) {
    const Group& mine = groups_[group];
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (marks_[g] != marks_[group] || g == group || groups_[g].size == 0) continue;
        if (groups_[g].node_class != mine.node_class || !groups_[g].steps.same_as(mine.steps))
            continue;
        groups_[g].size += mine.size;
        groups_[group].size = 0;
        into_[group] = static_cast<std::int32_t>(g);
        vacant_.push_back(static_cast<std::int32_t>(group));
        return;
    }
}

// The group in which the nodes of a group are after all have joined.
std::int32_t NodeGroups::joined(std::int32_t group) const {
    while (into_[static_cast<std::size_t>(group)] >= 0)
        group = into_[static_cast<std::size_t>(group)];
    return group;
}

} // namespace slotwise
