#include "availability/node_search.hpp"

#include "availability/free_groups/unit_fit.hpp"
#include "machine/nodes/part_left.hpp"

#include <algorithm>
#include <numeric>

namespace slotwise {

namespace {

bool by_node(const Place& a, const Place& b) {
    return a.node < b.node;
}

// Returns true for a job of one unit. The order of nodes does not affect whether such a job fits.
bool takes_one_unit(const UnitDemand& demand) {
    return demand.nodes == 0 && demand.units == 1;
}

// Returns the share of the node's capacity that the units would leave free (see part_left()).
double left_over(const NodeState& state, const JobShape& shape, Place place, Time from) {
    const std::size_t c = state.layout().class_of[static_cast<std::size_t>(place.node)];
    const FreeSteps& steps = state.groups()[state.groups().of(place.node)].steps;
    return part_left(steps.free(steps.at(from)), place.units, shape.each_on(c, state.layout()),
                     state.layout().capacity(c));
}

void sort_by_node(std::vector<Place>& places) {
    if (!std::is_sorted(places.begin(), places.end(), by_node))
        std::sort(places.begin(), places.end(), by_node);
}

} // namespace

NodeSearch::NodeSearch(NodeState& state, const JobShape& shape)
    : state_(state), shape_(shape), rules_(state, shape), room_(shape.demand) {}

// Returns the number of units that fit on a node of the group during [from, to).
std::int32_t NodeSearch::room_of_group(std::size_t group, Time from, Time to) {
    if (from != room_from_ || to != room_to_ || room_of_.size() != state_.groups().size()) {
        room_of_.assign(state_.groups().size(), -1);
        room_from_ = from;
        room_to_ = to;
    }
    std::int32_t& known = room_of_[group];
    if (known >= 0) return known;
    const NodeGroups::Group& nodes = state_.groups()[group];
    known = shape_.room[nodes.node_class];
    if (known == 0 || to <= from) return known;
    if (shape_.whole[nodes.node_class] != 0) {
        const auto covers = [&](const IdleSpan& idle) {
            return idle.begin <= from && idle.end >= to;
        };
        return known = std::any_of(nodes.idle.begin(), nodes.idle.end(), covers) ? 1 : 0;
    }
    const FreeSteps& steps = nodes.steps;
    for (std::size_t i = steps.at(from); known > 0 && i < steps.size() && steps.begin(i) < to; ++i)
        known = std::min(known, room_(steps.free(i)));
    return known;
}

std::int32_t NodeSearch::room_on(std::int32_t node, const Period& period) {
    std::int32_t units = room_of_group(state_.groups().of(node), period.from, period.to);
    if (units > 0 && !may_share(node, period)) return 0;
    if (!period.starts || units == 0) return units;
    if (state_.is_away(node)) return 0;
    const std::size_t c = state_.layout().class_of[static_cast<std::size_t>(node)];
    if (shape_.whole[c] != 0) return state_.is_idle(node) ? 1 : 0;
    return std::min(units, room_(state_.free(node)));
}

// Returns false if a job of another user prevents this job from using the node.
bool NodeSearch::may_share(std::int32_t node, const Period& period) const {
    const NodeTenants* tenants = state_.tenants();
    return tenants == nullptr ||
           (tenants->may_share(node, shape_.tenant, {period.from, period.to}) &&
            (!period.starts || tenants->may_share_now(node, shape_.tenant)));
}

// Returns true if the nodes have room for all units, regardless of count reservations.
bool NodeSearch::has_units(Time from, Time to) {
    std::int64_t units = 0;
    const NodeGroups& groups = state_.groups();
    for (std::size_t g = 0; g < groups.size() && units < shape_.demand.units; ++g)
        if (groups[g].size > 0) units += std::int64_t{groups[g].size} * room_of_group(g, from, to);
    failure_.units_with_room = units;
    return units >= shape_.demand.units;
}

// Returns the number of whole nodes of the class that the job may take during [from, to).
std::int32_t NodeSearch::nodes_left(std::size_t node_class, Time from, Time to) const {
    const std::int32_t left = state_.counts().nodes_left(node_class, from, to);
    if (left == 0 || !state_.has_reserved(node_class)) return left;
    return std::min(left, idle_throughout(state_, node_class, from, to));
}

bool NodeSearch::fits(Time from, Time to) {
    std::int64_t units = 0;
    switch (shape_.keeping) {
    case Keeping::whole_nodes:
        for (const std::size_t c : shape_.classes)
            units += nodes_left(c, from, to);
        return units >= shape_.demand.units;
    case Keeping::cores:
        for (const std::size_t c : shape_.classes)
            units += state_.counts().cores_left(c, from, to);
        if (units < shape_.demand.units) return false;
        if (rules_.is_unreserved()) return true; // without reservations, free amounts only grow
        break;
    default:
        if (!leaves_kept_cores({from, to, false})) return false;
        break;
    }
    if (is_one_unit()) return has_group_for_unit({from, to, false});
    if (!has_units(from, to)) return false;
    if (is_free_of_kept(from, to)) return true;
    std::vector<Place> places;
    return take_shared({from, to, false}, nullptr, places);
}

// Returns true if the job has a single unit and any two jobs may share a node. All nodes of a group
// are then equivalent.
bool NodeSearch::is_one_unit() const {
    return takes_one_unit(shape_.demand) && state_.tenants() == nullptr;
}

// Computes how many units may be placed in each class now. Returns false if they are too few for
// the job.
bool NodeSearch::budget_now(Time length, Budget& budget) const {
    std::int64_t units = 0;
    budget.assign(state_.layout().n_classes(), 0);
    for (const std::size_t c : shape_.classes) {
        budget[c] = state_.idle(c);
        if (length > 0 && budget[c] > 0)
            budget[c] = std::min(budget[c], nodes_left(c, state_.now(), state_.now() + length));
        units += budget[c];
    }
    return units >= shape_.demand.units;
}

// Returns false if the classes together have too little free capacity.
bool NodeSearch::may_start() const {
    std::int64_t units = 0;
    for (const std::size_t c : shape_.classes) {
        const Amounts& free = state_.free_sum(c);
        std::int64_t most = std::int64_t{shape_.room[c]} * state_.layout().count(c);
        for (std::size_t r = 0; r < shape_.demand.each.size(); ++r)
            if (shape_.demand.each[r] > 0) most = std::min(most, free[r] / shape_.demand.each[r]);
        units += shape_.whole[c] != 0 ? state_.idle(c) : std::max<std::int64_t>(most, 0);
        if (units >= shape_.demand.units) return true;
    }
    return false;
}

bool NodeSearch::find_now(Time length, std::vector<Place>& places) {
    failure_ = {};
    failure_.lacks_room = true;
    const Period period{state_.now(), state_.now() + length, true};
    if (shape_.keeping != Keeping::whole_nodes && !leaves_kept_cores(period)) return false;
    if (!may_start()) return false;
    if (shape_.keeping == Keeping::whole_nodes) {
        Budget budget;
        if (!budget_now(length, budget)) {
            failure_.units_with_room =
                std::accumulate(budget.begin(), budget.end(), std::int64_t{0});
            return false;
        }
        failure_.lacks_room = state_.tenants() == nullptr;
        return take_whole(period, budget, places);
    }
    const bool is_unit = is_one_unit() && length > 0;
    const UnitFit fit = is_unit ? unit_fit(state_, shape_, period.to) : UnitFit::room;
    if (is_unit ? fit == UnitFit::no_room : !has_units(period.from, period.to)) {
        if (is_unit) failure_.units_with_room = 0;
        return false;
    }
    const bool is_free = is_free_of_kept(period.from, period.to);
    failure_.depends_on_kept = !is_free;
    failure_.depends_on_order =
        !takes_one_unit(shape_.demand) && rules_.keeps_numbers(period.from, period.to);
    failure_.lacks_room = is_free || is_one_unit();
    if (!is_free && fit == UnitFit::reserved) {
        failure_.units_with_room = kUncounted;
        return false;
    }
    if (take_shared(period, nullptr, places)) return true;
    failure_.units_with_room = is_free ? 0 : kUncounted;
    if (!is_free) return false;
    for (const Place place : places)
        failure_.units_with_room += place.units;
    return false;
}

// Returns true if the job is restricted only by the free capacity of each node.
bool NodeSearch::is_free_of_kept(Time from, Time to) const {
    return state_.tenants() == nullptr && shape_.demand.nodes == 0 &&
           !rules_.keeps_numbers(from, to);
}

bool NodeSearch::find_now(Time length, const NodeHold& kept, std::vector<Place>& places) {
    const Period period{state_.now(), state_.now() + length, true};
    if (shape_.keeping == Keeping::places) {
        places = kept.places;
        return leaves_room(places, period);
    }
    Budget budget(state_.layout().n_classes(), 0);
    for (const auto& [node_class, number] : kept.numbers)
        budget[node_class] = number;
    if (shape_.keeping == Keeping::cores) return take_shared(period, &budget, places);
    std::int64_t units = 0;
    for (const std::size_t c : shape_.classes)
        units += budget[c] = std::min(budget[c], state_.idle(c));
    return units >= shape_.demand.units && take_whole(period, budget, places);
}

// Places one unit on each node, and no more units in each class than `budget` allows.
bool NodeSearch::take_whole(const Period& period, Budget& budget, std::vector<Place>& places) {
    places.clear();
    const auto units = static_cast<std::size_t>(shape_.demand.units);
    visit_in_order(period, [&](std::int32_t node) {
        const std::size_t c = state_.layout().class_of[static_cast<std::size_t>(node)];
        if (budget[c] == 0 || (period.starts && !state_.is_idle(node))) return true;
        if (room_on(node, period) == 0) return true;
        --budget[c];
        places.push_back({node, 1});
        return places.size() < units;
    });
    sort_by_node(places);
    return places.size() == units;
}

// Places as many units on each node as fit without breaking a count reservation.
bool NodeSearch::take_shared(const Period& period, Budget* budget, std::vector<Place>& places) {
    forget_kept();
    if (shape_.demand.nodes > 0) return take_on_nodes(period, places);
    places.clear();
    if (!leaves_kept_cores(period)) return false;
    std::int32_t left = shape_.demand.units;
    visit_in_order(period, [&](std::int32_t node) {
        const std::size_t group = state_.groups().of(node);
        if (is_refused_[group] != 0) return true;
        if (room_of_group(group, period.from, period.to) == 0) {
            is_refused_[group] = 1;
            return true;
        }
        std::int32_t units = std::min(room_on(node, period), left);
        const std::size_t c = state_.layout().class_of[static_cast<std::size_t>(node)];
        if (budget != nullptr) units = std::min(units, (*budget)[c]);
        units = allowed(node, units, period);
        if (units == 0) return true;
        if (budget != nullptr) (*budget)[c] -= units;
        places.push_back({node, units});
        left -= units;
        return left > 0;
    });
    state_.counts().undo();
    sort_by_node(places);
    return left == 0;
}

// Takes the requested number of nodes, in order. A node is skipped if taking it would leave more
// units than fit on the nodes after it.
bool NodeSearch::take_on_nodes(const Period& period, std::vector<Place>& places) {
    std::vector<Place> offers;
    for (const std::int32_t node : ordered(period))
        if (const std::int32_t units = room_on(node, period); units > 0)
            offers.push_back({node, units});
    places.clear();
    std::int32_t left = shape_.demand.units;
    std::int32_t to_come = shape_.demand.nodes;
    for (std::size_t i = 0; i < offers.size() && to_come > 0; ++i) {
        const std::int64_t behind = most_on(
            {offers.begin() + static_cast<std::ptrdiff_t>(i) + 1, offers.end()}, to_come - 1);
        std::int32_t units = std::min(offers[i].units, left - (to_come - 1));
        if (behind < 0 || units + behind < left) continue;
        units = allowed(offers[i].node, units, period);
        if (units == 0) continue;
        places.push_back({offers[i].node, units});
        left -= units;
        --to_come;
    }
    state_.counts().undo();
    sort_by_node(places);
    return left == 0 && to_come == 0;
}

std::int64_t NodeSearch::most_on(std::vector<Place> offers, std::int32_t nodes) {
    if (offers.size() < static_cast<std::size_t>(nodes)) return -1;
    std::partial_sort(offers.begin(), offers.begin() + nodes, offers.end(),
                      [](const Place& a, const Place& b) { return a.units > b.units; });
    std::int64_t units = 0;
    for (std::int32_t i = 0; i < nodes; ++i)
        units += offers[static_cast<std::size_t>(i)].units;
    return units;
}

// Resets the results of allowed_on() at the start of a search. Within one search, a refused group
// remains refused, because usage can only grow.
void NodeSearch::forget_kept() {
    is_refused_.assign(state_.groups().size(), 0);
    cores_left_.assign(state_.layout().n_classes(), -1);
}

// Returns false if core reservations leave too few cores for the units, whichever nodes are used.
bool NodeSearch::leaves_kept_cores(const Period& period) const {
    if (period.to <= period.from) return true;
    std::int64_t units = 0;
    for (const std::size_t c : shape_.classes) {
        if (!state_.counts().keeps(c)) return true;
        units += state_.counts().cores_left(c, period.from, period.to) /
                 shape_.each_on(c, state_.layout())[0];
        if (units >= shape_.demand.units) return true;
    }
    return false;
}

// Returns the number of units that may be placed on the node without breaking a count reservation.
// These units count as used until the search ends.
std::int32_t NodeSearch::allowed(std::int32_t node, std::int32_t units, const Period& period) {
    const std::size_t group = state_.groups().of(node);
    units = allowed_on(group, units, period);
    const std::size_t c = state_.groups()[group].node_class;
    NodeCounts& counts = state_.counts();
    if (units == 0 || period.to <= period.from || !counts.keeps(c)) return units;
    const auto each = static_cast<std::int32_t>(shape_.each_on(c, state_.layout())[0]);
    cores_left_[c] = -1;
    for (const IdleSpan& span : idle_within_)
        counts.use(c, span.begin, span.end, 1, 0);
    counts.use(c, period.from, period.to, 0, (shape_.whole[c] != 0 ? 1 : units) * each);
    return units;
}

// Returns the number of units that may be placed on any one node of the group. Sets idle_within_ to
// the spans of the period in which the group's nodes are idle.
std::int32_t NodeSearch::allowed_on(std::size_t group, std::int32_t units, const Period& period) {
    const std::size_t c = state_.groups()[group].node_class;
    const NodeCounts& counts = state_.counts();
    if (units == 0 || period.to <= period.from || !counts.keeps(c)) return units;
    const auto each = static_cast<std::int32_t>(shape_.each_on(c, state_.layout())[0]);
    if (is_refused_[group] != 0) return 0;
    if (cores_left_[c] < 0) cores_left_[c] = counts.cores_left(c, period.from, period.to);
    units = std::min(units, cores_left_[c] / each);
    if (units == 0) return 0;
    std::vector<IdleSpan>& idle = idle_within_;
    idle.clear();
    for (const IdleSpan& span : state_.groups()[group].idle) {
        const IdleSpan within{std::max(span.begin, period.from), std::min(span.end, period.to)};
        if (within.begin < within.end) idle.push_back(within);
    }
    const bool is_kept = std::any_of(idle.begin(), idle.end(), [&](const IdleSpan& span) {
        return counts.least_idle(c, span.begin, span.end) < 1;
    });
    if (is_kept) is_refused_[group] = 1;
    return is_kept ? 0 : units;
}

// Visits nodes in placement order until visit(node) returns false. Skips nodes without a free core
// if the job starts now, and nodes that are not idle if its units take whole nodes.
template <class Visitor> void NodeSearch::visit_in_order(const Period& period, Visitor&& visit) {
    const bool is_by_class = !shape_.interleaves && !ranks_by_free(state_.shapes().demands().rule);
    if (!period.starts || !is_by_class) {
        for (const std::int32_t node : ordered(period))
            if (!visit(node)) return;
        return;
    }
    const NodeBits& nodes =
        shape_.keeping == Keeping::whole_nodes ? state_.idle_nodes() : state_.with_cores();
    for (const std::size_t c : shape_.classes)
        if (!nodes.for_each_in(state_.layout().first[c], state_.layout().first[c + 1], visit))
            return;
}

// Returns the nodes in placement order; for a reservation of places, busy nodes come first.
const std::vector<std::int32_t>& NodeSearch::ordered(const Period& period) {
    const bool is_by_free = ranks_by_free(state_.shapes().demands().rule);
    const bool busy_first =
        !period.starts && shape_.keeping == Keeping::places && state_.shapes().busy_nodes_first();
    if (!is_by_free && !busy_first) return *shape_.nodes;
    order_ = *shape_.nodes;
    if (is_by_free) {
        std::vector<std::pair<double, std::int32_t>> offers;
        for (const std::int32_t node : order_)
            if (const std::int32_t units = room_on(node, period); units > 0)
                offers.emplace_back(left_over(state_, shape_, {node, units}, period.from), node);
        std::stable_sort(offers.begin(), offers.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        order_.clear();
        for (const auto& [part, node] : offers)
            order_.push_back(node);
    }
    if (busy_first)
        std::stable_partition(order_.begin(), order_.end(),
                              [&](std::int32_t node) { return state_.has_job(node); });
    return order_;
}

} // namespace slotwise
