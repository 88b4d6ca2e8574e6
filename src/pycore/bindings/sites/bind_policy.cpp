#include "order/order.hpp"
#include "record.hpp"
#include "site/backfill.hpp"
#include "site/policy.hpp"

namespace slotwise::bindings {

namespace {

const char* kind_of(const ParameterInfo& parameter) {
    static const char* const kinds[] = {"number", "whole", "flag", "name", "length", "table"};
    return kinds[static_cast<std::size_t>(parameter.kind)];
}

template <class AnyRegistry> py::list facts(const AnyRegistry& registry) {
    py::list entries;
    for (const auto& entry : registry.entries()) {
        py::list parameters;
        for (const ParameterInfo& parameter : entry.parameters)
            parameters.append(py::make_tuple(
                parameter.name, parameter.doc,
                parameter.text.empty() ? py::object(py::float_(parameter.default_value))
                                       : py::object(py::str(parameter.text)),
                parameter.minimum, kind_of(parameter), parameter.names));
        entries.append(py::make_tuple(entry.name, entry.doc, entry.reference, parameters));
    }
    return entries;
}

py::dict facts_of(const ParameterInfo& parameter) {
    py::dict facts;
    facts["name"] = parameter.name;
    facts["doc"] = parameter.doc;
    facts["default"] = parameter.default_value;
    facts["text"] = parameter.text;
    facts["kind"] = kind_of(parameter);
    facts["unit"] = parameter.unit;
    facts["minimum"] = parameter.minimum;
    facts["maximum"] = parameter.maximum;
    facts["names"] = parameter.names;
    return facts;
}

py::list works_on(const BackfillEntry& entry) {
    py::list worlds;
    if (entry.works_on.pools) worlds.append("pools");
    if (entry.works_on.torus) worlds.append("torus");
    if (entry.works_on.intervals) worlds.append("intervals");
    if (entry.works_on.intervals_alone) worlds.append("intervals_alone");
    if (entry.works_on.nodes) worlds.append("nodes");
    if (entry.works_on.underway) worlds.append("underway");
    return worlds;
}

py::dict facts_of(const BackfillEntry& entry) {
    py::list parameters;
    for (const ParameterInfo& parameter : entry.parameters)
        parameters.append(facts_of(parameter));
    py::dict facts;
    facts["parameters"] = parameters;
    facts["reads"] = entry.reads;
    facts["reads_given"] = entry.reads_given;
    facts["works_on"] = works_on(entry);
    facts["places_jobs"] = entry.places_jobs;
    return facts;
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
    py::enum_<Reserve>(module, "Reserve")
        .value("numbers", Reserve::numbers)
        .value("nodes", Reserve::nodes);
    py::class_<OrderSpec>(module, "OrderSpec")
        .def(py::init([](std::string name, std::map<std::string, double> parameters,
                         std::string key, std::shared_ptr<OrderSource> source,
                         std::map<std::string, std::map<std::string, double>> tables) {
                 return OrderSpec{.name = std::move(name),
                                  .parameters = std::move(parameters),
                                  .key = std::move(key),
                                  .source = std::move(source),
                                  .tables = std::move(tables)};
             }),
             py::arg("name"), py::arg("parameters") = py::dict(), py::arg("key") = "",
             py::arg("source") = nullptr, py::arg("tables") = py::dict());
    Record<Policy>(module, "Policy")
        .field("order", &Policy::order)
        .field("backfill", &Policy::backfill)
        .field("backfill_order", &Policy::backfill_order)
        .field("parameters", &Policy::parameters)
        .field("estimates", &Policy::estimates)
        .field("passes", &Policy::passes)
        .field("period", &Policy::period)
        .field("kill_at_limit", &Policy::kill_at_limit)
        .field("allocation", &Policy::allocation)
        .field("reserve", &Policy::reserve)
        .field("event_order", &Policy::event_order)
        .field("waiting_estimates", &Policy::waiting_estimates)
        .field("ending_now_is_free", &Policy::ending_now_is_free)
        .field("spare_processors", &Policy::spare_processors)
        .field("strict_end", &Policy::strict_end)
        .field("frozen_reservation", &Policy::frozen_reservation)
        .field("compress_at_every_end", &Policy::compress_at_every_end)
        .field("promise_per_arrival", &Policy::promise_per_arrival)
        .def(py::init<>());
    module.def("check_order", [](const OrderSpec& spec) { make_order(spec); });
    module.def("orders", [] { return facts(order_registry()); });
    module.def("backfill_facts", [] {
        py::dict entries;
        for (const BackfillEntry& entry : backfill_registry().entries())
            entries[py::str(entry.name)] = facts_of(entry);
        return entries;
    });
    module.def("backfills", [] { return facts(backfill_registry()); });
}

} // namespace slotwise::bindings
