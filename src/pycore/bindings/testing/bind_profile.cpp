// Bindings of the availability profile, for tests of the core.
#include "availability/pools/pool_plan.hpp"
#include "availability/profile.hpp"
#include "bindings.hpp"

#include <optional>
#include <utility>

namespace slotwise::bindings {

namespace {

using Points = std::vector<std::pair<Time, ProcCount>>;

Points points(const Profile& profile) {
    Points points;
    profile.for_each_from(profile.origin(),
                          [&](Time time, ProcCount free) { points.emplace_back(time, free); });
    return points;
}

} // namespace

void bind_profile(py::module_& module) {
    py::class_<Profile>(module, "Profile")
        .def(py::init<ProcCount, Time>(), py::arg("processors"), py::arg("origin"))
        .def("advance", &Profile::advance, py::arg("now"))
        .def("add", &Profile::add, py::arg("start"), py::arg("end"), py::arg("change"))
        .def(
            "earliest",
            [](const Profile& profile, ProcCount processors, Time duration, Time from, Time base,
               Time period) {
                return profile.earliest(processors, duration, from, {base, period});
            },
            py::arg("processors"), py::arg("duration"), py::arg("start"), py::arg("base") = 0,
            py::arg("period") = 1)
        .def(
            "earlier",
            [](const Profile& profile, ProcCount processors, Time duration, Time before) {
                const Time start = profile.earlier(processors, duration, before, {}).start;
                return start == kNever ? std::optional<Time>() : start;
            },
            py::arg("processors"), py::arg("duration"), py::arg("before"))
        .def("mark", &Profile::mark)
        .def("least", &Profile::least, py::arg("start"), py::arg("end"))
        .def_property_readonly("points", &points)
        .def_property_readonly("n_blocks", &Profile::n_blocks);
    py::class_<PoolPlan>(module, "PoolPlan")
        .def(py::init([](ProcCount processors) {
                 return PoolPlan(processors, 0, 1, PlanForm::stepped);
             }),
             py::arg("processors"))
        .def(
            "announce",
            [](PoolPlan& plan, Time start, Time duration, Time every, ProcCount processors) {
                plan.announce({start, duration, every}, processors);
            },
            py::arg("start"), py::arg("duration"), py::arg("every"), py::arg("processors"))
        .def("earliest", &PoolPlan::earliest, py::arg("duration"), py::arg("processors"),
             py::arg("start"));
}

} // namespace slotwise::bindings
