#include "bindings.hpp"
#include "engine/bare_loop.hpp"
#include "engine/replay.hpp"
#include "progress.hpp"

namespace slotwise::bindings {

namespace {

std::shared_ptr<Schedule> simulate(const std::shared_ptr<const JobTable>& jobs, const Site& site,
                                   const py::object& progress) {
    const Progress report = make_progress(progress);
    // Safe without the GIL: the table is read-only, all else belongs to this call.
    const py::gil_scoped_release unlocked;
    return std::make_shared<Schedule>(replay(jobs, site, report));
}

} // namespace

void bind_simulator(py::module_& module) {
    module.def("simulate", &simulate, py::arg("jobs").none(false), py::arg("site"),
               py::arg("progress") = py::none());
    module.def("run_bare_loop", &run_bare_loop, py::arg("jobs").none(false),
               py::call_guard<py::gil_scoped_release>());
}

} // namespace slotwise::bindings
