// Bindings for machines with nodes and the plans for them.
#include "bindings.hpp"
#include "columns.hpp"
#include "machine/nodes/list_schedule.hpp"
#include "machine/nodes/node_plan.hpp"
#include "machine/nodes/nodes.hpp"
#include "nodes/node_columns.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise::bindings {

namespace {

Amounts amounts_of(const std::vector<std::int64_t>& values) {
    Amounts amounts;
    for (std::size_t r = 0; r < values.size(); ++r)
        amounts.set(r, values[r]);
    return amounts;
}

std::shared_ptr<Nodes> make_nodes(std::vector<std::string> resources,
                                  const std::vector<std::string>& names,
                                  const std::vector<std::int32_t>& counts,
                                  const std::vector<std::vector<std::int64_t>>& capacities) {
    auto nodes = std::make_shared<Nodes>();
    nodes->resources = std::move(resources);
    for (std::size_t c = 0; c < counts.size(); ++c)
        nodes->classes.push_back({names[c], counts[c], amounts_of(capacities[c])});
    check(*nodes);
    return nodes;
}

std::vector<Place> places_of(const Column<std::int32_t>& node, const Column<std::int32_t>& units) {
    std::vector<Place> places;
    for (py::ssize_t i = 0; i < node.size(); ++i)
        places.push_back({node.at(i), units.at(i)});
    return places;
}

py::tuple schedule_on_nodes(NodePlan& plan, const Column<std::int64_t>& units,
                            const Column<std::int64_t>& each, const Column<std::int64_t>& duration,
                            const Column<std::int64_t>& order, Time now, PlacementRule rule) {
    const std::vector<UnitDemand> demands = demands_of(units, each);
    ListSchedule result;
    {
        // The GIL is not needed here: the caller keeps the arrays alive, and only one thread uses
        // the plan.
        const py::gil_scoped_release unlocked;
        result = list_schedule(plan, demands, span_of(duration), span_of(order), now, rule);
    }
    const py::tuple places = arrays_of(result.places);
    return py::make_tuple(own(std::move(result.start)), own(std::move(result.first)), places[0],
                          places[1]);
}

using Values = std::vector<std::int64_t>;

void bind_changes_of_plan(py::class_<NodePlan>& plan) {
    plan.def("advance", &NodePlan::advance, py::arg("now"))
        .def(
            "occupy",
            [](NodePlan& plan, const Column<std::int32_t>& node, const Column<std::int32_t>& units,
               const Values& each, Time begin,
               Time end) { plan.occupy(places_of(node, units), amounts_of(each), begin, end); },
            py::arg("node"), py::arg("units"), py::arg("each"), py::arg("begin"), py::arg("end"))
        .def(
            "vacate",
            [](NodePlan& plan, const Column<std::int32_t>& node, const Column<std::int32_t>& units,
               const Values& each, Time begin,
               Time end) { plan.vacate(places_of(node, units), amounts_of(each), begin, end); },
            py::arg("node"), py::arg("units"), py::arg("each"), py::arg("begin"), py::arg("end"));
}

void bind_plan(py::module_& module) {
    py::class_<NodePlan> plan(module, "NodePlan");
    bind_changes_of_plan(plan);
    plan.def(py::init([](const std::shared_ptr<Nodes>& nodes, Time origin) {
                 return NodePlan(nodes, origin);
             }),
             py::arg("nodes"), py::arg("origin"))
        .def("copy", [](const NodePlan& plan) { return NodePlan(plan); })
        .def(
            "fits",
            [](const NodePlan& plan, std::int32_t units, const Values& each, Time from,
               Time duration) {
                return plan.fits({plan.nodes(), {units, amounts_of(each)}}, from, duration);
            },
            py::arg("units"), py::arg("each"), py::arg("begin"), py::arg("duration"))
        .def(
            "earliest",
            [](const NodePlan& plan, std::int32_t units, const Values& each, Time duration,
               Time from, Time before) {
                return plan.earliest({plan.nodes(), {units, amounts_of(each)}}, duration, from,
                                     before);
            },
            py::arg("units"), py::arg("each"), py::arg("duration"), py::arg("begin"),
            py::arg("before") = kNever)
        .def(
            "place",
            [](const NodePlan& plan, std::int32_t units, const Values& each, Time from,
               Time duration, PlacementRule rule) {
                std::vector<Place> places;
                plan.place({plan.nodes(), {units, amounts_of(each)}, rule}, from, duration, places);
                return arrays_of(places);
            },
            py::arg("units"), py::arg("each"), py::arg("begin"), py::arg("duration"),
            py::arg("rule"))
        .def(
            "free",
            [](const NodePlan& plan, std::int32_t node, Time time) {
                const AmountsView free = plan.free(node, time);
                Values values;
                for (std::size_t r = 0; r < plan.nodes().resources.size(); ++r)
                    values.push_back(free[r]);
                return values;
            },
            py::arg("node"), py::arg("time"))
        .def("schedule", &schedule_on_nodes, py::arg("units"), py::arg("each"), py::arg("duration"),
             py::arg("order"), py::arg("now"), py::arg("rule"));
}

} // namespace

void bind_nodes(py::module_& module) {
    py::enum_<PlacementRule>(module, "PlacementRule")
        .value("first_fit", PlacementRule::first_fit)
        .value("best_fit", PlacementRule::best_fit)
        .value("least_scarce", PlacementRule::least_scarce);
    py::class_<Nodes, std::shared_ptr<Nodes>>(module, "Nodes")
        .def(py::init(&make_nodes), py::arg("resources"), py::arg("names"), py::arg("counts"),
             py::arg("capacities"))
        .def_property_readonly("size", &Nodes::size)
        .def(
            "can_ever_hold",
            [](const Nodes& nodes, std::int32_t units, const std::vector<std::int64_t>& each) {
                return can_ever_hold(nodes, {units, amounts_of(each)});
            },
            py::arg("units"), py::arg("each"));
    bind_plan(module);
}

} // namespace slotwise::bindings
