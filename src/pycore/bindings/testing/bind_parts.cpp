// Bindings for parts that only tests call: plans of free processors, event queues of job ends, and
// the checkpoint arithmetic.
#include "availability/pools/pool_plan.hpp"
#include "availability/profile.hpp"
#include "availability/releases.hpp"
#include "bindings.hpp"
#include "engine/event_queue.hpp"
#include "replay/checkpoints.hpp"

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

void bind_plans(py::module_& module) {
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

void bind_ends(py::module_& module) {
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

void bind_attempts(py::module_& module) {
    module.def(
        "length_of_attempt",
        [](Time done, Time left, const Interruption& rule) {
            return length_of({done, left}, rule);
        },
        py::arg("done"), py::arg("left"), py::arg("interruption"));
    module.def(
        "saved_after",
        [](Time done, Time left, Time elapsed, const Interruption& rule) {
            return saved_after({done, left}, elapsed, rule);
        },
        py::arg("done"), py::arg("left"), py::arg("elapsed"), py::arg("interruption"));
}

} // namespace

void bind_parts(py::module_& module) {
    bind_plans(module);
    bind_ends(module);
    bind_attempts(module);
}

} // namespace slotwise::bindings
