// Bindings for the demands of jobs on a machine with nodes.
#include "bindings.hpp"
#include "columns.hpp"
#include "machine/nodes/job_demands.hpp"
#include "nodes/node_columns.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

// Adds per-node limits, node counts, exclusive flags and constraints to the demands of the jobs.
void add_rules(std::vector<UnitDemand>& demands, const Column<std::int64_t>& per_node,
               const Column<std::int64_t>& nodes, const Column<std::uint8_t>& exclusive,
               const Column<std::int32_t>& constraint) {
    for (std::size_t job = 0; job < demands.size(); ++job) {
        const auto at = static_cast<py::ssize_t>(job);
        demands[job].per_node = static_cast<std::int32_t>(per_node.at(at));
        demands[job].nodes = static_cast<std::int32_t>(nodes.at(at));
        demands[job].exclusive = static_cast<Exclusive>(exclusive.at(at));
        demands[job].constraint = constraint.at(at);
    }
}

} // namespace

void bind_job_demands(py::module_& module) {
    py::class_<JobDemands, std::shared_ptr<JobDemands>>(module, "JobDemands")
        .def(py::init([](std::shared_ptr<Nodes> nodes, PlacementRule rule,
                         const Column<std::int64_t>& units, const Column<std::int64_t>& each) {
                 return std::make_shared<JobDemands>(
                     make_node_jobs(std::move(nodes), rule, demands_of(units, each)));
             }),
             py::arg("nodes"), py::arg("rule"), py::arg("units"), py::arg("each"))
        .def(py::init(
                 [](std::shared_ptr<Nodes> nodes, PlacementRule rule,
                    const Column<std::int64_t>& units, const Column<std::int64_t>& each,
                    const Column<std::int64_t>& per_node, const Column<std::int64_t>& nodes_asked,
                    const Column<std::uint8_t>& exclusive, const Column<std::int32_t>& constraint,
                    std::vector<std::vector<std::int32_t>> constraints) {
                     std::vector<UnitDemand> demands = demands_of(units, each);
                     add_rules(demands, per_node, nodes_asked, exclusive, constraint);
                     return std::make_shared<JobDemands>(
                         make_node_jobs(std::move(nodes), rule, demands, std::move(constraints)));
                 }),
             py::arg("nodes"), py::arg("rule"), py::arg("units"), py::arg("each"),
             py::arg("per_node"), py::arg("nodes_asked"), py::arg("exclusive"),
             py::arg("constraint"), py::arg("constraints"),
             "Constraint -1 means none; `constraints` lists the nodes that satisfy each "
             "constraint.");
}

} // namespace slotwise::bindings
