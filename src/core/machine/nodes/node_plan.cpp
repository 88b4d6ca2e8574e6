#include "machine/nodes/node_plan.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

Amounts total_of(const Nodes& nodes) {
    Amounts total{};
    for (const NodeClass& nodes_of_class : nodes.classes)
        total.add(nodes_of_class.count, nodes_of_class.capacity);
    return total;
}

} // namespace

NodePlan::NodePlan(std::shared_ptr<const Nodes> nodes, Time origin, Full full)
    : nodes_(std::move(nodes)), groups_(*nodes_, origin, full),
      sum_(origin, total_of(*nodes_), nodes_->resources.size()) {
    first_.push_back(0);
    for (const NodeClass& nodes_of_class : nodes_->classes)
        first_.push_back(first_.back() + nodes_of_class.count);
}

void NodePlan::change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                      std::int64_t sign) {
    begin = std::max(begin, groups_.now());
    std::int64_t units = 0;
    for (const Place place : places)
        units += place.units;
    if (end <= begin) return;
    groups_.change(places, each, begin, end, sign);
    const FreeSteps::Change change{begin, end, &each, sign * units};
    sum_.add(groups_.now(), {&change, 1});
}

// Returns the number of units that fit on each node of the group throughout [from, to).
std::int32_t NodePlan::least_room(std::size_t group, const PlannedDemand& asked, Time from,
                                  Time to) const {
    const NodeGroups::Group& nodes = groups_[group];
    const UnitRoom::OnClass on = asked.on_class[nodes.node_class];
    if (on.most == 0) return 0;
    if (on.whole) {
        for (const IdleSpan idle : nodes.idle)
            if (idle.end > from) return idle.begin <= from && idle.end >= to ? 1 : 0;
        return 0;
    }
    const FreeSteps& steps = nodes.steps;
    std::size_t i = steps.at(from);
    std::int32_t units = asked.room(steps.free(i));
    while (units > 0 && ++i < steps.size() && steps.begin(i) < to)
        units = std::min(units, asked.room(steps.free(i)));
    return units;
}

bool NodePlan::fits(const PlannedDemand& asked, Time from, Time duration) const {
    if (!asked.room.within(sum_.free(sum_.at(from)))) return false;
    std::int64_t left = asked.demand.units;
    for (std::size_t g = 0; g < groups_.size() && left > 0; ++g)
        if (groups_[g].size > 0)
            left -= std::int64_t{groups_[g].size} * least_room(g, asked, from, from + duration);
    return left <= 0;
}

// Returns the first start at which the free amounts, summed over all nodes, are sufficient, or
// kNever if there is none. If the plan already contains the job, from start.given_back onwards, its
// own resources suffice from then on.
Time NodePlan::earliest_sum(const Moves& start) const {
    Time from = start.from;
    for (std::size_t i = sum_.at(from); i < sum_.size(); ++i) {
        if (sum_.begin(i) >= std::min(start.given_back, from + start.duration)) break;
        if (start.asked.room.within(sum_.free(i))) continue;
        from = sum_.end(i);
        if (from >= start.until) return kNever;
    }
    return from;
}

bool NodePlan::may_start(const PlannedDemand& asked, Time duration, Time from, Time until,
                         Time given_back) const {
    return earliest_sum({asked, duration, from, until, given_back}) != kNever;
}

// Returns the number of units that fit on the nodes at the first possible start, and records in
// changes_ how this number changes for later starts. A window of the job's length moves over the
// steps. The step with the least room in the window determines how many units fit.
std::int64_t NodePlan::follow(const Moves& start, const Followed& followed) const {
    const FreeSteps& steps = followed.group.steps;
    const UnitRoom& room = start.asked.room;
    std::size_t leaves = steps.at(start.from);
    std::size_t enters = leaves;
    const std::size_t base = leaves;
    rooms_.clear();
    least_.clear(); // steps in the window, ascending by room
    std::size_t front = 0;
    const auto enter = [&] {
        std::int32_t units = room(steps.free(enters));
        if (steps.begin(enters) >= start.given_back) units += followed.own;
        units = std::min(units, room.units());
        rooms_.push_back(units);
        while (least_.size() > front && rooms_[least_.back() - base] >= units)
            least_.pop_back();
        least_.push_back(enters++);
    };
    while (enters < steps.size() &&
           (enters == leaves || steps.begin(enters) < start.from + start.duration))
        enter();
    const std::int32_t at_first = rooms_[least_[front] - base];
    std::int32_t now = at_first;
    for (;;) {
        const Time leave = steps.end(leaves);
        const Time meet = enters < steps.size() ? steps.begin(enters) - start.duration + 1 : kNever;
        const Time time = std::min(leave, meet);
        if (time >= start.until) return followed.nodes * at_first;
        if (time == meet) enter();
        if (time == leave) {
            if (least_[front] == leaves) ++front;
            ++leaves;
        }
        const std::int32_t units = rooms_[least_[front] - base];
        if (units != now) changes_.push_back({time, followed.nodes * (units - now)});
        now = units;
    }
}

// Does the same as follow(), for nodes that can hold at most one unit.
std::int64_t NodePlan::follow_one(const Moves& start, const Followed& followed) const {
    const bool whole = start.asked.on_class[followed.group.node_class].whole;
    std::int64_t at_first = 0;
    visit_idle_spans(followed.group, start.asked.room, whole, start.from,
                     [&](Time begin, Time end) {
                         if (begin >= start.until) return false;
                         if (followed.own > 0 && end >= start.given_back) end = kNever;
                         if (end - begin < start.duration) return true;
                         if (begin == start.from)
                             at_first = followed.nodes;
                         else
                             changes_.push_back({begin, followed.nodes});
                         if (end != kNever && end - start.duration + 1 < start.until)
                             changes_.push_back({end - start.duration + 1, -followed.nodes});
                         return end < start.until;
                     });
    return at_first;
}

std::int64_t NodePlan::follow_group(const Moves& start, std::size_t group, std::int64_t nodes,
                                    std::int32_t own) const {
    const std::int32_t most = start.asked.on_class[groups_[group].node_class].most;
    if (most == 0 || nodes == 0) return 0;
    const Followed followed{groups_[group], nodes, own};
    return most == 1 ? follow_one(start, followed) : follow(start, followed);
}

// Does the same as follow_all(), for a job whose units take whole nodes.
std::int64_t NodePlan::follow_idle(const Moves& start, std::span<const Place> own) const {
    std::int64_t at_first = 0;
    std::int64_t most = 0; // upper bound on the nodes that the job can use at any start
    const auto enters = [&](Time begin, std::int64_t nodes) {
        if (begin == start.from)
            at_first += nodes;
        else
            changes_.push_back({begin, nodes});
    };
    for (const auto& [idle, node_class, nodes] : groups_.idle()) {
        const Time begin = std::max(idle.begin, start.from);
        if (begin >= start.until || start.asked.on_class[node_class].most == 0) continue;
        const bool is_long = idle.end - begin >= start.duration;
        if (is_long || idle.end == start.given_back) most += nodes;
        if (!is_long) continue;
        enters(begin, nodes);
        if (idle.end != kNever && idle.end - start.duration + 1 < start.until)
            changes_.push_back({idle.end - start.duration + 1, -nodes});
    }
    if (most < start.asked.room.units()) {
        changes_.clear();
        return 0;
    }
    for (std::size_t i = 0; i < own.size();) { // the job's nodes that are idle until given_back
        const std::size_t group = groups_.of(own[i].node);
        const std::size_t first = i;
        while (i < own.size() && groups_.of(own[i].node) == group)
            ++i;
        const auto nodes = static_cast<std::int64_t>(i - first);
        const std::vector<IdleSpan>& idle = groups_[group].idle;
        const auto before = std::find_if(idle.begin(), idle.end(), [&](const IdleSpan& span) {
            return span.end == start.given_back;
        });
        if (before == idle.end()) continue;
        const Time begin = std::max(before->begin, start.from);
        // the last start for which the loop above has counted these nodes
        const Time last = start.given_back - start.duration;
        if (last < begin && begin < start.until) enters(begin, nodes);
        if (last >= begin && last + 1 < start.until) changes_.push_back({last + 1, nodes});
    }
    return at_first;
}

Time NodePlan::earliest(const PlannedDemand& asked, Time duration, Time from, Time before) const {
    return earlier(asked, duration, from, before, kNever, {});
}

Time NodePlan::earlier(const PlannedDemand& asked, Time duration, Time from, Time until,
                       Time given_back, std::span<const Place> own) const {
    Moves start{asked, duration, from, until, given_back};
    start.from = earliest_sum(start);
    if (start.from >= until) return kNever;
    changes_.clear();
    const std::int64_t room =
        asked.takes_whole_nodes ? follow_idle(start, own) : follow_all(start, own);
    return room >= asked.demand.units ? start.from : reaching(room, asked.demand.units);
}

// Does the same as follow(), but for all nodes instead of a single group.
std::int64_t NodePlan::follow_all(const Moves& start, std::span<const Place> own) const {
    own_.assign(groups_.size(), 0);
    std::int64_t room = 0;
    // Each iteration handles consecutive places with the same group and number of units.
    for (std::size_t i = 0; i < own.size();) {
        const std::size_t group = groups_.of(own[i].node);
        std::size_t end = i + 1;
        while (end < own.size() && own[end].units == own[i].units &&
               groups_.of(own[end].node) == group)
            ++end;
        const auto nodes = static_cast<std::int32_t>(end - i);
        own_[group] += nodes;
        room += follow_group(start, group, nodes, own[i].units);
        i = end;
    }
    for (std::size_t g = 0; g < groups_.size(); ++g)
        room += follow_group(start, g, groups_[g].size - own_[g], 0);
    return room;
}

// Returns the first time at which there is room for `units` units, or kNever if there is none. The
// number of units that fit is `room` at first, and then changes as recorded in changes_.
Time NodePlan::reaching(std::int64_t room, std::int32_t units) const {
    const auto later = [](const Change& a, const Change& b) { return a.time > b.time; };
    std::make_heap(changes_.begin(), changes_.end(), later);
    while (!changes_.empty()) {
        const Time time = changes_.front().time;
        while (!changes_.empty() && changes_.front().time == time) {
            room += changes_.front().units;
            std::pop_heap(changes_.begin(), changes_.end(), later);
            changes_.pop_back();
        }
        if (room >= units) return time;
    }
    return kNever;
}

// Does the same as follow(), for nodes whose free amounts never decrease.
std::int64_t NodePlan::rise(const UnitRoom& room, const NodeGroups::Group& group, Time from) const {
    const FreeSteps& steps = group.steps;
    const std::int64_t nodes = group.size;
    std::size_t i = steps.at(from);
    const std::int32_t at_first = room(steps.free(i));
    std::int32_t now = at_first;
    while (now < room.units() && ++i < steps.size()) {
        const std::int32_t units = room(steps.free(i));
        if (units > now) changes_.push_back({steps.begin(i), nodes * (units - now)});
        now = units;
    }
    return nodes * at_first;
}

Time NodePlan::earliest_rising(const PlannedDemand& asked, Time from) const {
    from = earliest_sum({asked, 1, from, kNever, kNever});
    if (from == kNever) return kNever;
    changes_.clear();
    std::int64_t room = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        if (groups_[g].size > 0 && asked.on_class[groups_[g].node_class].most > 0)
            room += rise(asked.room, groups_[g], from);
    return room >= asked.demand.units ? from : reaching(room, asked.demand.units);
}

bool NodePlan::may_use(const PlannedDemand& asked, Time duration, std::span<const Place> places,
                       Time from, Time until, Time given_back, std::span<const Place> own) const {
    // For each group, bit 0 is set once one of the nodes in `own` has been tested, and bit 1 once
    // any other node has been tested.
    looked_.assign(groups_.size(), 0);
    auto mine = own.begin(); // `own` and `places` are in ascending order
    for (const Place place : places) {
        while (mine != own.end() && mine->node < place.node)
            ++mine;
        const bool beside = mine != own.end() && mine->node == place.node;
        const std::size_t group = groups_.of(place.node);
        const std::uint8_t bit = beside ? 1 : 2;
        if ((looked_[group] & bit) != 0) continue;
        looked_[group] |= bit;
        const UnitRoom::OnClass on = asked.on_class[groups_[group].node_class];
        bool found = false;
        visit_idle_spans(groups_[group], asked.unit, on.whole, from, [&](Time begin, Time end) {
            if (begin >= until) return false;
            if (beside && end >= given_back) end = kNever;
            found = end - begin >= duration;
            return !found;
        });
        if (found) return true;
    }
    return false;
}

} // namespace slotwise
