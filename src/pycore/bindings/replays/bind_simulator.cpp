#include "bindings.hpp"
#include "engine/bare_loop.hpp"
#include "engine/whole_replay.hpp"
#include "order/order.hpp"
#include "planner/dispatcher.hpp"
#include "progress.hpp"
#include "replay/replay_error.hpp"

namespace slotwise::bindings {

namespace {

std::shared_ptr<Schedule> simulate(const std::shared_ptr<const JobTable>& jobs, const Site& site,
                                   const py::object& progress) {
    const Progress report = make_progress(progress);
    // The GIL is not needed here: the table is read-only, and nothing else is shared with other
    // threads.
    const py::gil_scoped_release unlocked;
    return std::make_shared<Schedule>(replay(jobs, site, report));
}

void set_replay_error(const char* what) {
    const py::object type = py::module_::import("slotwise.errors").attr("ReplayError");
    PyErr_SetString(type.ptr(), what);
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const ReplayError& error) {
        set_replay_error(error.what());
    } catch (const OrderError& error) {
        set_replay_error(error.what());
    } catch (const DispatchError& error) {
        set_replay_error(error.what());
    }
}

} // namespace

void bind_simulator(py::module_& module) {
    py::register_exception_translator(&translate);
    module.def("simulate", &simulate, py::arg("jobs").none(false), py::arg("site"),
               py::arg("progress") = py::none());
    module.def("run_bare_loop", &run_bare_loop, py::arg("jobs").none(false),
               py::call_guard<py::gil_scoped_release>());
}

} // namespace slotwise::bindings
