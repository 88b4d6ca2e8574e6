#include "bindings.hpp"
#include "metrics/chart_positions.hpp"

#include <limits>
#include <span>
#include <stdexcept>
#include <string>

namespace slotwise::bindings {

namespace {

using Numbers64 = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

std::span<const std::int64_t> span_of(const Numbers64& column) {
    return {column.data(), static_cast<std::size_t>(column.size())};
}

ChartPositions positions_of(const Numbers64& start, const Numbers64& end,
                            const Numbers64& processors, std::int64_t machine) {
    if (machine < 0 || machine >= std::numeric_limits<ProcCount>::max())
        throw std::invalid_argument("the machine has " + std::to_string(machine) +
                                    " processors; it must have between 0 and 2^31 - 2");
    const auto starts = span_of(start);
    const auto ends = span_of(end);
    const auto needs = span_of(processors);
    // The GIL is not needed here: the arrays are only read, and the caller keeps them alive.
    py::gil_scoped_release unlocked;
    return chart_positions(starts, ends, needs, static_cast<ProcCount>(machine));
}

} // namespace

void bind_report(py::module_& module) {
    py::class_<ChartPositions>(module, "ChartPositions", "Intervals of processors per job.")
        .def_property_readonly(
            "offset",
            [](py::object self) { return view(self.cast<ChartPositions&>().offset, self); })
        .def_property_readonly(
            "first", [](py::object self) { return view(self.cast<ChartPositions&>().first, self); })
        .def_property_readonly(
            "count", [](py::object self) { return view(self.cast<ChartPositions&>().count, self); })
        .def_readonly("extent", &ChartPositions::extent);
    module.def("chart_positions", &positions_of, py::arg("start"), py::arg("end"),
               py::arg("processors"), py::arg("machine"));
}

} // namespace slotwise::bindings
