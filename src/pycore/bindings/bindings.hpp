// Each part of the core has one function that binds it. module.cpp calls these functions.
#pragma once

#include <cstddef>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <vector>

namespace slotwise::bindings {

namespace py = pybind11;

void bind_trace(py::module_& module);
void bind_text(py::module_& module);
void bind_policy(py::module_& module);
void bind_orders(py::module_& module);
void bind_scores(py::module_& module);
void bind_torus(py::module_& module);
void bind_nodes(py::module_& module);
void bind_dependencies(py::module_& module);
void bind_site(py::module_& module);
void bind_slurm(py::module_& module);
void bind_changes(py::module_& module);
void bind_parts(py::module_& module);
void bind_places(py::module_& module);
void bind_job_demands(py::module_& module);
void bind_knapsack(py::module_& module);
void bind_simulator(py::module_& module);
void bind_sweep(py::module_& module);
void bind_job_view(py::module_& module);
void bind_dispatcher(py::module_& module);
void bind_simulation(py::module_& module);
void bind_decisions(py::module_& module);
void bind_schedule(py::module_& module);
void bind_metrics(py::module_& module);
void bind_report(py::module_& module);

// Returns a read-only NumPy view of `column`, which belongs to `owner`. The view keeps `owner`
// alive.
template <class Value> py::array view(const std::vector<Value>& column, py::handle owner) {
    py::array_t<Value> array({static_cast<py::ssize_t>(column.size())},
                             {static_cast<py::ssize_t>(sizeof(Value))}, column.data(), owner);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

} // namespace slotwise::bindings
