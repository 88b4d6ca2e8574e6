// Bindings for a site's calendar, as a list of changes in chronological order.
#include "bindings.hpp"
#include "site/calendar.hpp"

#include <tuple>

namespace slotwise::bindings {

namespace {

const char* name_of(CalendarChange::Kind kind) {
    using Kind = CalendarChange::Kind;
    switch (kind) {
    case Kind::outage_end:
        return "outage_end";
    case Kind::repair_end:
        return "repair_end";
    case Kind::reservation_end:
        return "reservation_end";
    case Kind::outage_begin:
        return "outage_begin";
    case Kind::reservation_begin:
        return "reservation_begin";
    case Kind::crash:
        return "crash";
    }
    return "";
}

} // namespace

void bind_changes(py::module_& module) {
    py::class_<Calendar>(module, "Calendar")
        .def(py::init<const Site&, Time>(), py::arg("site"), py::arg("first_submit"))
        .def("next", &Calendar::next, "The time of the next change, or NEVER.")
        .def(
            "pop",
            [](Calendar& calendar) {
                if (calendar.next() == kNever) throw py::index_error("no further change");
                const CalendarChange change = calendar.pop();
                return std::tuple(change.time, name_of(change.kind), change.index);
            },
            "Removes the next change, and returns its time, its kind and the index of its outage "
            "or reservation.")
        .def("__copy__", [](const Calendar& calendar) { return Calendar(calendar); });
    module.def("check_calendar", &check_calendar, py::arg("site"));
}

} // namespace slotwise::bindings
