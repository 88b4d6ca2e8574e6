#include "machine/node_plan.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

Amounts total_of(const Nodes& nodes) {
    Amounts total{};
    for (const NodeClass& nodes_of_class : nodes.classes)
        for (std::size_t r = 0; r < kMostResources; ++r)
            total[r] += nodes_of_class.count * nodes_of_class.capacity[r];
    return total;
}

} // namespace

NodePlan::NodePlan(std::shared_ptr<const Nodes> nodes, Time origin)
    : nodes_(std::move(nodes)), now_(origin), sum_(origin, total_of(*nodes_)) {
    first_.push_back(0);
    for (const NodeClass& nodes_of_class : nodes_->classes) {
        first_.push_back(first_.back() + nodes_of_class.count);
        steps_.insert(steps_.end(), static_cast<std::size_t>(nodes_of_class.count),
                      FreeSteps(origin, nodes_of_class.capacity));
    }
}

void NodePlan::change(std::span<const Place> places, const Amounts& each, Time begin, Time end,
                      std::int64_t sign) {
    begin = std::max(begin, now_);
    std::int64_t units = 0;
    for (const Place place : places) {
        steps_[static_cast<std::size_t>(place.node)].add(now_, begin, end, each,
                                                         sign * place.units);
        units += place.units;
    }
    sum_.add(now_, begin, end, each, sign * units);
}

// Units that have room on `node` over [from, to).
std::int32_t NodePlan::room(const UnitRoom& room, std::size_t node, Time from, Time to) const {
    const FreeSteps& steps = steps_[node];
    std::size_t i = steps.at(from);
    std::int32_t units = room(steps[i].free);
    while (units > 0 && ++i < steps.size() && steps[i].begin < to)
        units = std::min(units, room(steps[i].free));
    if (units == 0 || to <= apart_begin_ || apart_[node] == 0) return units;
    Amounts left = steps[steps.at(apart_begin_)].free;
    for (std::size_t r = 0; r < kMostResources; ++r)
        left[r] -= apart_[node] * apart_each_[r];
    return std::min(units, room(left));
}

void NodePlan::reserve_apart(std::span<const Place> places, const Amounts& each, Time begin) {
    apart_.resize(steps_.size(), 0);
    for (const Place place : places) {
        apart_[static_cast<std::size_t>(place.node)] = place.units;
        apart_nodes_.push_back(place.node);
    }
    apart_each_ = each;
    apart_begin_ = begin;
}

void NodePlan::clear_apart() {
    for (const std::int32_t node : apart_nodes_)
        apart_[static_cast<std::size_t>(node)] = 0;
    apart_nodes_.clear();
    apart_begin_ = kNever;
}

bool NodePlan::fits(const UnitDemand& demand, Time from, Time duration) const {
    const UnitRoom units(demand);
    const Time to = from + duration;
    if (!units.within(sum_[sum_.at(from)].free)) return false;
    std::int32_t left = demand.units;
    for (std::size_t c = 0; c < nodes_->classes.size(); ++c) {
        if (!can_hold(c, units)) continue;
        for (std::int32_t node = first_[c]; node < first_[c + 1]; ++node) {
            left -= room(units, static_cast<std::size_t>(node), from, to);
            if (left <= 0) return true;
        }
    }
    return false;
}

// The first time in [from, before) from which the sums over all nodes suffice, or kNever.
Time NodePlan::earliest_sum(const UnitRoom& room, Time duration, Time from, Time before) const {
    Time start = from;
    for (std::size_t i = sum_.at(from); i < sum_.size() && sum_[i].begin < start + duration; ++i) {
        if (room.within(sum_[i].free)) continue;
        start = sum_.end_of(i);
        if (start >= before) return kNever;
    }
    return start;
}

bool NodePlan::may_move(const UnitDemand& demand, Time duration, Time from, Time before) const {
    const UnitRoom room(demand);
    Time start = from;
    // From `before` on the job's own reservation makes room, so what lies there need not be seen.
    for (std::size_t i = sum_.at(from); i < sum_.size(); ++i) {
        if (sum_[i].begin >= before || sum_[i].begin >= start + duration) return true;
        if (room.within(sum_[i].free)) continue;
        start = sum_.end_of(i);
        if (start >= before) return false;
    }
    return true;
}

// Gives the units that have room on `node` from `from` on, and puts into changes_ how their number
// changes until `before` as the start moves: the least room of the steps under a window of
// `duration` that slides over them.
std::int32_t NodePlan::follow(const UnitRoom& room, std::size_t node, Time duration, Time from,
                              Time before) const {
    const FreeSteps& steps = steps_[node];
    std::size_t leaves = steps.at(from);
    std::size_t enters = leaves;
    const std::size_t base = leaves;
    rooms_.clear();
    least_.clear(); // steps under the window with rising rooms, the least first
    std::size_t front = 0;
    const auto enter = [&] {
        const std::int32_t units = room(steps[enters].free);
        rooms_.push_back(units);
        while (least_.size() > front && rooms_[least_.back() - base] >= units)
            least_.pop_back();
        least_.push_back(enters++);
    };
    while (enters < steps.size() && (enters == leaves || steps[enters].begin < from + duration))
        enter();
    const std::int32_t at_first = rooms_[least_[front] - base];
    std::int32_t now = at_first;
    for (;;) {
        const Time leave = steps.end_of(leaves);
        const Time meet = enters < steps.size() ? steps[enters].begin - duration + 1 : kNever;
        const Time time = std::min(leave, meet);
        if (time >= before) return at_first;
        if (time == meet) enter();
        if (time == leave) {
            if (least_[front] == leaves) ++front;
            ++leaves;
        }
        const std::int32_t units = rooms_[least_[front] - base];
        if (units != now) changes_.push_back({time, units - now});
        now = units;
    }
}

// As `follow`, where a node has room for one unit at most.
std::int32_t NodePlan::follow_one(const UnitRoom& room, std::size_t node, Time duration, Time from,
                                  Time before) const {
    const FreeSteps& steps = steps_[node];
    std::int32_t at_first = 0;
    Time start = from; // of the stretch with room that is gone through
    const auto close = [&](Time end) {
        if (end != kNever && end - start < duration) return;
        if (start == from)
            at_first = 1;
        else
            changes_.push_back({start, 1});
        if (end != kNever && end - duration + 1 < before)
            changes_.push_back({end - duration + 1, -1});
    };
    for (std::size_t i = steps.at(from); i < steps.size(); ++i) {
        if (room(steps[i].free) > 0) continue;
        if (steps[i].begin > start) close(steps[i].begin);
        start = steps.end_of(i);
        if (start >= before) return at_first;
    }
    close(kNever);
    return at_first;
}

Time NodePlan::earliest(const UnitDemand& demand, Time duration, Time from, Time before) const {
    const UnitRoom units(demand);
    from = earliest_sum(units, duration, from, before);
    if (from == kNever || from >= before) return kNever;
    if (fits(demand, from, duration)) return from;
    changes_.clear();
    std::int64_t room = 0;
    for (std::size_t c = 0; c < nodes_->classes.size(); ++c) {
        const std::int32_t most = units(nodes_->classes[c].capacity);
        for (std::int32_t n = first_[c]; most > 0 && n < first_[c + 1]; ++n) {
            const auto node = static_cast<std::size_t>(n);
            room += most == 1 ? follow_one(units, node, duration, from, before)
                              : follow(units, node, duration, from, before);
        }
    }
    return reaching(room, demand.units);
}

// The time at which `room`, changed as changes_ say, is enough for `units`, or kNever.
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

// As `follow`, on a node that has more and more.
std::int32_t NodePlan::rise(const UnitRoom& room, std::size_t node, Time from) const {
    const FreeSteps& steps = steps_[node];
    std::size_t i = steps.at(from);
    const std::int32_t at_first = room(steps[i].free);
    std::int32_t now = at_first;
    while (now < room.units() && ++i < steps.size()) {
        const std::int32_t units = room(steps[i].free);
        if (units > now) changes_.push_back({steps[i].begin, units - now});
        now = units;
    }
    return at_first;
}

Time NodePlan::earliest_rising(const UnitDemand& demand, Time from) const {
    const UnitRoom units(demand);
    from = earliest_sum(units, 1, from, kNever);
    if (from == kNever) return kNever;
    changes_.clear();
    std::int64_t room = 0;
    for (std::size_t c = 0; c < nodes_->classes.size(); ++c) {
        if (!can_hold(c, units)) continue;
        for (std::int32_t node = first_[c]; node < first_[c + 1]; ++node)
            room += rise(units, static_cast<std::size_t>(node), from);
    }
    return room >= demand.units ? from : reaching(room, demand.units);
}

bool NodePlan::may_use(const UnitDemand& demand, Time duration, std::span<const Place> places,
                       Time begin, Time end, Time from, Time before,
                       std::span<const Place> own) const {
    const UnitRoom unit(UnitDemand{1, demand.each});
    const Time first = std::max(from, begin - duration + 1);
    const Time last = std::min(before, end);
    if (first >= last) return false;
    auto mine = own.begin(); // both are by ascending node
    for (const Place place : places) {
        while (mine != own.end() && mine->node < place.node)
            ++mine;
        // From `before` on the job's own units make room, so what lies there need not be seen.
        const Time seen = mine != own.end() && mine->node == place.node ? before : kNever;
        const FreeSteps& steps = steps_[static_cast<std::size_t>(place.node)];
        Time start = first;
        for (std::size_t i = steps.at(first); i < steps.size(); ++i) {
            if (steps[i].begin >= std::min(seen, start + duration)) return true;
            if (unit(steps[i].free) > 0) continue;
            start = steps.end_of(i);
            if (start >= last) break;
        }
        if (start < last) return true;
    }
    return false;
}

// The part of its capacity that stays free, summed over the resources.
double NodePlan::left_over(std::size_t node, const UnitDemand& demand, std::int32_t units,
                           Time from) const {
    const Amounts& free = this->free(static_cast<std::int32_t>(node), from);
    const auto above =
        std::upper_bound(first_.begin(), first_.end(), static_cast<std::int32_t>(node));
    const Amounts& capacity =
        nodes_->classes[static_cast<std::size_t>(above - first_.begin()) - 1].capacity;
    double sum = 0;
    for (std::size_t r = 0; r < kMostResources; ++r)
        if (capacity[r] > 0)
            sum += static_cast<double>(free[r] - units * demand.each[r]) /
                   static_cast<double>(capacity[r]);
    return sum;
}

void NodePlan::place(const UnitDemand& demand, Time from, Time duration, PlacementRule rule,
                     std::vector<Place>& places) const {
    const UnitRoom units(demand);
    const Time to = from + duration;
    std::int32_t left = demand.units;
    places.clear();
    std::vector<std::pair<double, Place>> offers;
    for (const std::size_t c : classes_for(*nodes_, demand.each, rule)) {
        for (std::int32_t node = first_[c]; node < first_[c + 1] && left > 0; ++node) {
            const std::int32_t fit = room(units, static_cast<std::size_t>(node), from, to);
            if (fit == 0) continue;
            if (rule == PlacementRule::best_fit) {
                offers.push_back(
                    {left_over(static_cast<std::size_t>(node), demand, fit, from), {node, fit}});
                continue;
            }
            places.push_back({node, std::min(fit, left)});
            left -= places.back().units;
        }
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < offers.size() && left > 0; ++i) {
        places.push_back({offers[i].second.node, std::min(offers[i].second.units, left)});
        left -= places.back().units;
    }
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.node < b.node; });
}

} // namespace slotwise
