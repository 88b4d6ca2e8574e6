#include "bindings.hpp"
#include "order/order.hpp"
#include "planner/scheduler.hpp"
#include "site/policy.hpp"

namespace slotwise::bindings {

namespace {

template <class Factory> py::list facts(const Registry<Factory>& registry) {
    py::list entries;
    for (const auto& entry : registry.entries()) {
        py::list parameters;
        for (const ParameterInfo& parameter : entry.parameters)
            parameters.append(py::make_tuple(parameter.name, parameter.doc,
                                             parameter.text.empty()
                                                 ? py::object(py::float_(parameter.default_value))
                                                 : py::object(py::str(parameter.text)),
                                             parameter.minimum));
        entries.append(py::make_tuple(entry.name, entry.doc, entry.reference, parameters));
    }
    return entries;
}

} // namespace

void bind_policy(py::module_& module) {
    py::enum_<Estimates>(module, "Estimates")
        .value("requested", Estimates::requested)
        .value("exact", Estimates::exact)
        .value("user_history", Estimates::user_history);
    py::enum_<EventOrder>(module, "EventOrder")
        .value("completions_first", EventOrder::completions_first)
        .value("arrivals_first", EventOrder::arrivals_first);
    py::enum_<Passes>(module, "Passes")
        .value("per_instant", Passes::per_instant)
        .value("per_event", Passes::per_event)
        .value("periodic", Passes::periodic);
    py::enum_<WindowSolver>(module, "WindowSolver")
        .value("branch_and_bound", WindowSolver::branch_and_bound)
        .value("greedy", WindowSolver::greedy);
    py::class_<OrderSpec>(module, "OrderSpec")
        .def(py::init([](std::string name, std::map<std::string, double> parameters,
                         std::string key, std::shared_ptr<OrderSource> source) {
                 return OrderSpec{std::move(name), std::move(parameters), std::move(key),
                                  std::move(source)};
             }),
             py::arg("name"), py::arg("parameters") = py::dict(), py::arg("key") = "",
             py::arg("source") = nullptr);
    py::class_<Policy>(module, "Policy")
        .def(py::init<>())
        .def_readwrite("order", &Policy::order)
        .def_readwrite("backfill", &Policy::backfill)
        .def_readwrite("backfill_order", &Policy::backfill_order)
        .def_readwrite("depth", &Policy::depth)
        .def_readwrite("relaxation", &Policy::relaxation)
        .def_readwrite("estimates", &Policy::estimates)
        .def_readwrite("passes", &Policy::passes)
        .def_readwrite("period", &Policy::period)
        .def_readwrite("kill_at_limit", &Policy::kill_at_limit)
        .def_readwrite("allocation", &Policy::allocation)
        .def_readwrite("window", &Policy::window)
        .def_readwrite("solver", &Policy::solver)
        .def_readwrite("all_slots", &Policy::all_slots)
        .def_readwrite("refill", &Policy::refill)
        .def_readwrite("beyond_window", &Policy::beyond_window)
        .def_readwrite("age_limit", &Policy::age_limit)
        .def_readwrite("event_order", &Policy::event_order)
        .def_readwrite("waiting_estimates", &Policy::waiting_estimates)
        .def_readwrite("ending_now_is_free", &Policy::ending_now_is_free)
        .def_readwrite("spare_processors", &Policy::spare_processors)
        .def_readwrite("strict_end", &Policy::strict_end)
        .def_readwrite("frozen_reservation", &Policy::frozen_reservation)
        .def_readwrite("compress_at_every_end", &Policy::compress_at_every_end)
        .def_readwrite("promise_per_arrival", &Policy::promise_per_arrival);
    module.def("check_order", [](const OrderSpec& spec) { make_order(spec); });
    module.def("orders", [] { return facts(order_registry()); });
    module.def("backfills", [] { return facts(scheduler_registry()); });
}

} // namespace slotwise::bindings
