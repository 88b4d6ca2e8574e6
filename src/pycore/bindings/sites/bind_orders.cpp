// Bindings for orders that users define.
#include "bindings.hpp"
#include "order/compiled_order.hpp"
#include "order/job_columns.hpp"
#include "sites/numpy_order.hpp"

#include <algorithm>

namespace slotwise::bindings {

namespace {

// Returns the column that Python code reads as the attribute `name` of the jobs. Raises an
// AttributeError if there is no such column.
py::array_t<double> attribute(const WaitingJobs& jobs, const std::string& name) {
    const auto names = job_column_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        try {
            find_job_column(name);
        } catch (const std::invalid_argument& unknown) {
            throw py::attribute_error(unknown.what());
        }
    }
    return jobs.column(name);
}

std::shared_ptr<const OrderSource> from_capsule(const py::object& capsule, std::string name) {
    // If the object is not a capsule with the expected name, the pointer is null and a Python error
    // is set.
    const void* order = PyCapsule_GetPointer(capsule.ptr(), SLOTWISE_ORDER_CAPSULE);
    if (order == nullptr) throw py::error_already_set();
    return describe_compiled_order(std::move(name), *static_cast<const slotwise_order*>(order));
}

std::shared_ptr<const OrderSource> from_address(std::uintptr_t address, std::uintptr_t data,
                                                const std::vector<std::string>& columns,
                                                bool is_static, std::string name) {
    return std::make_shared<CompiledOrderSource>(std::move(name),
                                                 reinterpret_cast<slotwise_score_function>(address),
                                                 reinterpret_cast<void*>(data), columns, is_static);
}

} // namespace

void bind_orders(py::module_& module) {
    py::class_<OrderSource, std::shared_ptr<OrderSource>>(module, "OrderSource");
    py::class_<WaitingJobs, std::shared_ptr<WaitingJobs>>(module, "WaitingJobs")
        .def("__getattr__", &attribute)
        .def("__getitem__", &WaitingJobs::column)
        .def("__len__", &WaitingJobs::size);
    module.def("numpy_order", &make_numpy_order, py::arg("function"), py::arg("name"),
               py::arg("is_static"), py::arg("weighs_queue_priority"));
    module.def("order_from_capsule", &from_capsule, py::arg("capsule"), py::arg("name"));
    module.def("order_from_address", &from_address, py::arg("address"), py::arg("data"),
               py::arg("columns"), py::arg("is_static"), py::arg("name"));
    module.def("job_columns", [] {
        py::list names;
        for (const std::string_view name : job_column_names())
            names.append(py::str(name.data(), name.size()));
        return names;
    });
}

} // namespace slotwise::bindings
