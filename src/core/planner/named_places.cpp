#include "planner/named_places.hpp"

#include "availability/node_search.hpp"

#include <algorithm>

namespace slotwise {

namespace {

std::string numbered(std::int32_t number) {
    return "node " + std::to_string(number);
}

// Returns the reason why the job may never use the node, or an empty string if it may.
std::string exclusion(const NodeState& state, const NamedJob& job, std::int32_t node) {
    const NodeLayout& layout = state.layout();
    const auto n = static_cast<std::size_t>(node);
    const std::size_t c = layout.class_of[n];
    const std::string named = numbered(layout.number_of[n]);
    if (job.shape.room[c] > 0) return {};
    if (!layout.holds(job.queue_nodes, c))
        return named + " is not a node of the job's queue; choose nodes of that queue";
    const std::int32_t constraint = job.shape.demand.constraint;
    if (constraint >= 0 &&
        !layout.holds(state.shapes().demands().constraints[static_cast<std::size_t>(constraint)],
                      c))
        return named +
               " does not satisfy the job's constraint; choose nodes with the required features";
    return named + " is too small for one unit of the job; choose larger nodes";
}

// Returns the reason why no unit of the job can start on the node now.
std::string obstacle(NodeSearch& search, const NodeState& state, std::int32_t node) {
    const std::string named = numbered(state.layout().number_of[static_cast<std::size_t>(node)]);
    if (state.is_away(node)) return named + " is unavailable; choose available nodes";
    if (search.room_now(node, 0) == 0)
        return named + " currently has no room for one unit of the job; see machine.free_on_nodes";
    return "the job's requested time overlaps a downtime or a reservation on " + named +
           "; choose another node";
}

// Translates the listed node numbers to those of the layout, and counts how many units are listed
// for each node. If the list is invalid, returns the reason; otherwise returns an empty string.
std::string units_named(const NodeState& state, const NamedJob& job, std::vector<Place>& named) {
    const auto n_nodes = static_cast<std::int32_t>(state.layout().node_of.size());
    const UnitDemand& demand = job.shape.demand;
    const auto n_numbers = static_cast<std::int32_t>(job.numbers.size());
    for (const std::int32_t number : job.numbers) {
        if (number < 0 || number >= n_nodes)
            return numbered(number) + " does not exist; the machine has nodes 0 to " +
                   std::to_string(n_nodes - 1);
        const std::int32_t node = state.layout().node_of[static_cast<std::size_t>(number)];
        const auto same = std::find_if(named.begin(), named.end(),
                                       [&](const Place& place) { return place.node == node; });
        if (same == named.end())
            named.push_back({node, 1});
        else if (n_numbers == demand.units)
            ++same->units;
        else
            return numbered(number) + " is listed twice, but " + std::to_string(n_numbers) +
                   " nodes are listed for " + std::to_string(demand.units) +
                   " units; list each node only once, or list one node per unit";
    }
    const auto n_named = static_cast<std::int32_t>(named.size());
    if (demand.nodes > 0 && n_named != demand.nodes)
        return "the number of listed nodes is " + std::to_string(n_named) +
               "; the job requests exactly " + std::to_string(demand.nodes);
    if (n_named > demand.units)
        return std::to_string(n_named) + " nodes are listed for " + std::to_string(demand.units) +
               " units; list at most one node per unit";
    return {};
}

} // namespace

std::string place_on_named(NodeState& state, const NamedJob& job, std::vector<Place>& places) {
    std::vector<Place> named;
    if (std::string fault = units_named(state, job, named); !fault.empty()) return fault;
    NodeSearch search(state, job.shape);
    std::int32_t left = job.shape.demand.units - static_cast<std::int32_t>(named.size());
    if (job.numbers.size() > named.size()) left = 0; // the list contains one node for each unit
    places.clear();
    for (const auto& [node, units] : named) {
        if (std::string fault = exclusion(state, job, node); !fault.empty()) return fault;
        const std::int32_t room = search.room_now(node, job.length);
        if (room == 0) return obstacle(search, state, node);
        if (room < units)
            return numbered(state.layout().number_of[static_cast<std::size_t>(node)]) +
                   " is listed for " + std::to_string(units) + " units, but has room for only " +
                   std::to_string(room) + "; see machine.free_on_nodes";
        const std::int32_t more = std::min(room - units, left);
        places.push_back({node, units + more});
        left -= more;
    }
    if (left > 0) {
        const std::int32_t units = job.shape.demand.units;
        return "the job has " + std::to_string(units) +
               " units, but the listed nodes have room for only " + std::to_string(units - left) +
               "; list more nodes";
    }
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.node < b.node; });
    if (search.fits_on(places, job.length)) return {};
    return "on the listed nodes, the job would leave too few nodes of their type for a downtime or "
           "a reservation; choose nodes of another type, or start the job later";
}

} // namespace slotwise
