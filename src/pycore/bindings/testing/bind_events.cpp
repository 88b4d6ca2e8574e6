// Bindings of the queues of future completions and releases in a replay, for tests of the core.
#include "availability/releases.hpp"
#include "bindings.hpp"
#include "engine/event_queue.hpp"

#include <utility>

namespace slotwise::bindings {

void bind_events(py::module_& module) {
    py::class_<EventQueue>(module, "EventQueue")
        .def(py::init<std::size_t, Time, Duration>(), py::arg("n_jobs"), py::arg("origin"),
             py::arg("horizon"))
        .def("push", &EventQueue::push, py::arg("end"), py::arg("job"), py::arg("now"))
        .def("pop", &EventQueue::pop)
        .def(
            "remove", [](EventQueue& queue, const std::vector<JobId>& jobs) { queue.remove(jobs); },
            py::arg("jobs"))
        .def_property_readonly("next", &EventQueue::next)
        .def_property_readonly("empty", &EventQueue::empty);
    py::class_<Releases>(module, "Releases")
        .def(py::init<Time, Duration>(), py::arg("origin"), py::arg("horizon"))
        .def("add", &Releases::add, py::arg("end"), py::arg("processors"), py::arg("now"))
        .def("remove", &Releases::remove, py::arg("end"), py::arg("processors"))
        .def(
            "reaching",
            [](const Releases& releases, std::int64_t processors) {
                const Releases::Point point = releases.reaching(processors);
                return std::pair(point.time, point.released);
            },
            py::arg("processors"))
        .def("released_by", &Releases::released_by, py::arg("time"));
}

} // namespace slotwise::bindings
