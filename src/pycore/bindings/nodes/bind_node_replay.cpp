// Replays on nodes with several resources.
#include "bindings.hpp"
#include "columns.hpp"
#include "engine/eligible_arrivals.hpp"
#include "engine/simulator.hpp"
#include "nodes/node_columns.hpp"
#include "planner/reservation/node_planner_base.hpp"
#include "progress.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

// Returns the schedule, then for every job the begin of its rows, nodes and units.
py::tuple simulate_nodes(std::shared_ptr<const JobTable> table, const Site& site,
                         const std::shared_ptr<Nodes>& nodes, PlacementRule rule,
                         Column<std::int64_t> units, Column<std::int64_t> each,
                         const py::object& progress) {
    const EligibleArrivals arrivals(*table, site.dependencies);
    if (arrivals.any()) {
        const std::vector<std::int64_t> sorted(arrivals.rows().begin(), arrivals.rows().end());
        const py::array rows = own(sorted);
        units = units.attr("__getitem__")(rows);
        each = each.attr("__getitem__")(rows);
        table = arrivals.table();
    }
    const auto jobs =
        std::make_shared<const JobDemands>(make_node_jobs(nodes, rule, demands_of(units, each)));
    const Progress report = make_progress(progress);
    std::shared_ptr<Schedule> schedule;
    std::vector<std::int64_t> first{0};
    std::vector<Place> places;
    {
        // Safe without the GIL: table and nodes are read-only, everything else belongs to this
        // call.
        const py::gil_scoped_release unlocked;
        const JobPlaces* held = nullptr;
        Simulator simulator(std::move(table), PreparedSite(site),
                            [&](const ReplayContext& context) {
                                auto made = make_node_scheduler(context, jobs);
                                held = made.places;
                                return std::move(made.scheduler);
                            });
        simulator.run(report);
        std::vector<std::size_t> place_of(held->size()); // by row of the log
        for (std::size_t row = 0; row < place_of.size(); ++row)
            place_of[arrivals.any() ? arrivals.rows()[row] : row] = row;
        for (const std::size_t row : place_of) {
            const auto of_job = held->of(static_cast<JobId>(row));
            places.insert(places.end(), of_job.begin(), of_job.end());
            first.push_back(static_cast<std::int64_t>(places.size()));
        }
        Schedule made = simulator.take_schedule();
        schedule = std::make_shared<Schedule>(arrivals.any() ? arrivals.in_log_order(made)
                                                             : std::move(made));
    }
    const py::tuple columns = arrays_of(places);
    return py::make_tuple(schedule, own(std::move(first)), columns[0], columns[1]);
}

} // namespace

void bind_node_replay(py::module_& module) {
    module.def("simulate_nodes", &simulate_nodes, py::arg("jobs").none(false), py::arg("site"),
               py::arg("nodes"), py::arg("rule"), py::arg("units"), py::arg("each"),
               py::arg("progress") = py::none());
}

} // namespace slotwise::bindings
