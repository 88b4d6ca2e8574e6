#include "machine/nodes/node_groups.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

} // namespace

NodeGroups::NodeGroups(const Nodes& nodes, Time origin, Full full) : full_(full), now_(origin) {
    for (std::size_t c = 0; c < nodes.classes.size(); ++c) {
        const NodeClass& of_class = nodes.classes[c];
        capacity_.push_back(of_class.capacity);
        groups_.push_back({FreeSteps(origin, of_class.capacity, nodes.resources.size()),
                           {{kPast, kNever}},
                           of_class.count,
                           c});
        group_of_.insert(group_of_.end(), at(of_class.count), static_cast<std::int32_t>(c));
        by_mark_.insert(static_cast<std::int32_t>(c), groups_[c].steps.mark());
        idle_.add(c, {kPast, kNever}, of_class.count);
    }
    first_part_.assign(groups_.size(), -1);
    into_.assign(groups_.size(), -1);
}

// Merges groups that differed only in steps that are now in the past.
void NodeGroups::advance(Time now) {
    now_ = now;
    if (now < next_) return;
    next_ = kNever;
    const std::size_t vacant = vacant_.size();
    for (std::int32_t g = 0; at(g) < groups_.size(); ++g) {
        Group& group = groups_[at(g)];
        if (group.size == 0) continue;
        if (group.steps.end(0) <= now) {
            by_mark_.erase(g);
            group.steps.forget_before(now);
            was_idle_ = group.idle;
            note_idle(group, now, now);
            recount_idle(was_idle_, group, group.size);
            const std::int32_t twin = twin_of(group);
            if (twin < 0) {
                by_mark_.insert(g, group.steps.mark());
            } else {
                groups_[at(twin)].size += std::exchange(group.size, 0);
                into_[at(g)] = twin;
                vacant_.push_back(g);
            }
        }
        next_ = std::min(next_, group.steps.end(0));
    }
    if (vacant_.size() == vacant) return;
    for (std::int32_t& group : group_of_)
        if (into_[at(group)] >= 0) group = into_[at(group)];
    for (std::size_t i = vacant; i < vacant_.size(); ++i)
        into_[at(vacant_[i])] = -1;
}

void NodeGroups::change(std::span<const Place> places, const Amounts& each,
                        std::span<const Span> spans) {
    divide(places);
    for (Part& part : parts_) {
        first_part_[at(part.group)] = -1;
        was_idle_ = groups_[at(part.group)].idle;
        const Amounts& all = capacity_[groups_[at(part.group)].node_class];
        const bool is_full = full_ == Full::takes_all && part.units * each[0] == all[0];
        spans_.clear();
        for (const Span span : spans)
            spans_.push_back({span.begin, span.end, is_full ? &all : &each,
                              is_full ? span.sign : span.sign * part.units});
        part.becomes = moved(part, spans_);
        const Group& group = groups_[at(part.becomes)];
        next_ = std::min(next_, group.steps.end(0));
        recount_idle(was_idle_, group, part.count);
    }
    std::size_t i = 0;
    for (const Run run : runs_)
        for (; i < run.end; ++i)
            group_of_[at(places[i].node)] = parts_[at(run.part)].becomes;
}

// Divides groups into parts: the nodes of a group that have the same number of units in `places`
// form one part.
void NodeGroups::divide(std::span<const Place> places) {
    parts_.clear();
    runs_.clear();
    // Each iteration handles consecutive places with the same group and number of units.
    for (std::size_t i = 0; i < places.size();) {
        const std::int32_t units = places[i].units;
        const std::int32_t group = group_of_[at(places[i].node)];
        const std::size_t first = i;
        do {
            ++i;
        } while (i < places.size() && places[i].units == units &&
                 group_of_[at(places[i].node)] == group);
        runs_.push_back({i, part_for(group, units)});
        parts_[at(runs_.back().part)].count += static_cast<std::int32_t>(i - first);
    }
}

std::int32_t NodeGroups::part_for(std::int32_t group, std::int32_t units) {
    std::int32_t& first = first_part_[at(group)];
    for (std::int32_t p = first; p >= 0; p = parts_[at(p)].next)
        if (parts_[at(p)].units == units) return p;
    parts_.push_back({group, units, 0, first, -1});
    first = static_cast<std::int32_t>(parts_.size()) - 1;
    return first;
}

// Returns the group that the nodes of a part join as a result of the change.
std::int32_t NodeGroups::moved(const Part& part, FreeSteps::Changes changes) {
    Group& from = groups_[at(part.group)];
    const std::int32_t twin = twin_after(from, changes);
    if (twin < 0 && from.size == part.count) {
        by_mark_.erase(part.group);
        apply(part.group, changes);
        return part.group;
    }
    from.size -= part.count;
    if (twin < 0) {
        const std::int32_t group = added(part);
        apply(group, changes);
        return group;
    }
    groups_[at(twin)].size += part.count;
    if (from.size == 0) {
        by_mark_.erase(part.group);
        vacant_.push_back(part.group);
    }
    return twin;
}

// Adds a new group for the nodes of a part. apply() later adds the group to by_mark_.
std::int32_t NodeGroups::added(const Part& part) {
    if (vacant_.empty()) {
        vacant_.push_back(static_cast<std::int32_t>(groups_.size()));
        groups_.push_back(groups_[at(part.group)]);
        first_part_.push_back(-1);
        into_.push_back(-1);
    } else {
        groups_[at(vacant_.back())] = groups_[at(part.group)];
    }
    const std::int32_t group = vacant_.back();
    vacant_.pop_back();
    groups_[at(group)].size = part.count;
    return group;
}

void NodeGroups::apply(std::int32_t which, FreeSteps::Changes changes) {
    Group& group = groups_[at(which)];
    group.steps.add(now_, changes);
    by_mark_.insert(which, group.steps.mark());
    note_idle(group, changes.front().begin, changes.back().end);
}

// Returns a group with this mark and this class for which `same` returns true, or -1 if there is
// none.
template <class Same>
std::int32_t NodeGroups::twin(std::uint64_t mark, std::size_t node_class, Same&& same) const {
    for (std::int32_t g = by_mark_.first(mark); g >= 0; g = by_mark_.next(g)) {
        const Group& other = groups_[at(g)];
        if (other.steps.mark() == mark && other.node_class == node_class && same(other.steps))
            return g;
    }
    return -1;
}

// Returns another group with the same steps as `group`, or -1 if there is none. twin_after() looks
// for a group with the steps that `group` will have after the change.
std::int32_t NodeGroups::twin_of(const Group& group) const {
    return twin(group.steps.mark(), group.node_class,
                [&](const FreeSteps& other) { return other.same_as(group.steps); });
}

std::int32_t NodeGroups::twin_after(const Group& group, FreeSteps::Changes changes) const {
    return twin(
        group.steps.mark_after(now_, changes), group.node_class,
        [&](const FreeSteps& other) { return group.steps.same_after(now_, changes, other); });
}

// Updates the idle spans of a group after its free amounts have changed over [begin, end), and
// removes the spans that are in the past.
void NodeGroups::note_idle(Group& group, Time begin, Time end) const {
    const FreeSteps& steps = group.steps;
    group.idle.clear();
    const auto append = [&](Time from, Time to) {
        if (from <= now_) from = kPast;
        if (to <= now_ || from >= to) return;
        if (!group.idle.empty() && group.idle.back().end == from)
            group.idle.back().end = to;
        else
            group.idle.push_back({from, to});
    };
    for (const IdleSpan idle : was_idle_)
        append(idle.begin, std::min(idle.end, begin));
    for (std::size_t i = steps.at(begin); i < steps.size() && steps.begin(i) < end; ++i)
        if (steps.free(i)[0] == capacity_[group.node_class][0])
            append(std::max(steps.begin(i), begin), std::min(steps.end(i), end));
    for (const IdleSpan idle : was_idle_)
        append(std::max(idle.begin, end), idle.end);
}

// Updates the counts of idle spans for nodes that have just joined `group`. `nodes` is the number
// of these nodes, and `before` lists the idle spans that they had until then.
void NodeGroups::recount_idle(std::span<const IdleSpan> before, const Group& group,
                              std::int64_t nodes) {
    const std::span<const IdleSpan> after = group.idle;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before[i] == after[j]) {
            ++i;
            ++j;
        } else if (j == after.size() || (i < before.size() && before[i].end <= after[j].end)) {
            idle_.add(group.node_class, before[i++], -nodes);
        } else {
            idle_.add(group.node_class, after[j++], nodes);
        }
    }
}

} // namespace slotwise
