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
    }
    marks_.resize((groups_.size() / kBlock + 1) * kBlock);
    for (std::size_t g = 0; g < groups_.size(); ++g)
        marks_[g] = groups_[g].steps.mark();
    first_part_.assign(groups_.size(), -1);
    into_.assign(groups_.size(), -1);
}

// What lies in the past no longer tells nodes apart.
void NodeGroups::advance(Time now) {
    now_ = now;
    if (now < next_) return;
    next_ = kNever;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (groups_[g].size == 0) continue;
        if (groups_[g].steps.end_of(0) <= now) {
            groups_[g].steps.forget_before(now);
            unsettled_.push_back(static_cast<std::int32_t>(g));
        }
        next_ = std::min(next_, groups_[g].steps.end_of(0));
    }
    settle();
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
        next_ = std::min(next_, groups_[group].steps.end_of(0));
        unsettled_.push_back(part.becomes);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        group_of_[static_cast<std::size_t>(places[i].node)] =
            parts_[static_cast<std::size_t>(part_of_[i])].becomes;
    if (unsettled_.size() > kMostUnsettled) settle();
}

// Has the nodes of changed groups join those that are like them.
void NodeGroups::settle() {
    std::sort(unsettled_.begin(), unsettled_.end());
    unsettled_.erase(std::unique(unsettled_.begin(), unsettled_.end()), unsettled_.end());
    for (const std::int32_t changed : unsettled_) {
        const auto group = static_cast<std::size_t>(changed);
        marks_[group] = groups_[group].steps.mark();
    }
    const std::size_t vacant = vacant_.size();
    for (const std::int32_t changed : unsettled_) {
        const auto group = static_cast<std::size_t>(changed);
        const std::size_t twin = twin_of(group);
        if (twin == group) continue;
        groups_[twin].size += groups_[group].size;
        groups_[group].size = 0;
        into_[group] = static_cast<std::int32_t>(twin);
        vacant_.push_back(changed);
    }
    unsettled_.clear();
    if (vacant_.size() == vacant) return;
    for (std::int32_t& group : group_of_)
        while (into_[static_cast<std::size_t>(group)] >= 0)
            group = into_[static_cast<std::size_t>(group)];
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
        if (groups_.size() > marks_.size()) marks_.resize(marks_.size() + kBlock);
        first_part_.push_back(-1);
        into_.push_back(-1);
    }
    const std::int32_t group = vacant_.back();
    vacant_.pop_back();
    groups_[static_cast<std::size_t>(group)] = groups_[from];
    groups_[static_cast<std::size_t>(group)].size = part.count;
    return group;
}

// Another group whose nodes are like those of `group`, or itself.
std::size_t NodeGroups::twin_of(std::size_t group) const {
    const Group& mine = groups_[group];
    const std::uint32_t mark = marks_[group];
    for (std::size_t block = 0; block < groups_.size(); block += kBlock) {
        std::uint32_t found = 0;
        for (std::size_t i = 0; i < kBlock; ++i)
            found += marks_[block + i] == mark ? 1 : 0;
        for (std::size_t g = block; found > 0 && g < std::min(block + kBlock, groups_.size()); ++g)
            if (g != group && marks_[g] == mark && groups_[g].size > 0 &&
                groups_[g].node_class == mine.node_class && groups_[g].steps.same_as(mine.steps))
                return g;
    }
    return group;
}

} // namespace slotwise
