// Bindings for placement on a torus: the effect of placements on run times, and the slots of free
// nodes.
#include "bindings.hpp"
#include "columns.hpp"
#include "machine/torus/slots.hpp"
#include "machine/torus/torus.hpp"
#include "metrics/contiguity.hpp"
#include "replay/placement_run_times.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

Pair pair_of(NodeInterval slot) {
    return {slot.begin, slot.end};
}

std::vector<Pair> pairs_of(const std::vector<NodeInterval>& slots) {
    std::vector<Pair> pairs;
    for (const NodeInterval& slot : slots)
        pairs.push_back(pair_of(slot));
    return pairs;
}

std::vector<Pair> all(const Slots& slots) {
    std::vector<Pair> pairs;
    for (NodeInterval slot = slots.next(0); !slot.empty(); slot = slots.next(slot.end))
        pairs.push_back(pair_of(slot));
    return pairs;
}

std::vector<Pair> largest(const Slots& slots, std::size_t k) {
    std::vector<NodeInterval> found;
    slots.append_largest(k, found);
    return pairs_of(found);
}

std::vector<Pair> take_first(Slots& slots, NodeCount size, std::int32_t from) {
    std::vector<NodeInterval> taken;
    slots.take_first(size, taken, from);
    return pairs_of(taken);
}

py::tuple contiguity(const Schedule& schedule, const std::shared_ptr<Torus>& torus) {
    Contiguity found;
    {
        // The GIL is not needed here: the schedule and the torus are read-only, and the caller
        // keeps them alive.
        const py::gil_scoped_release unlocked;
        found = contiguity_of(schedule.placements, *torus);
    }
    return py::make_tuple(own(std::move(found.pieces)), own(std::move(found.mean_distance)),
                          own(std::move(found.max_distance)));
}

py::array job_distances(const Schedule& schedule, const std::shared_ptr<Torus>& torus) {
    std::vector<double> found;
    {
        // The GIL is not needed here: the schedule and the torus are read-only, and the caller
        // keeps them alive.
        const py::gil_scoped_release unlocked;
        found = mean_distances_of(schedule.placements, *torus);
    }
    return own(std::move(found));
}

py::array sensitive(double beta, std::uint64_t seed, std::size_t n_jobs) {
    return own(sensitive_jobs(beta, seed, n_jobs));
}

} // namespace

void bind_places(py::module_& module) {
    py::enum_<Allocation>(module, "Allocation")
        .value("first", Allocation::first)
        .value("contiguous", Allocation::contiguous)
        .value("contiguous_best", Allocation::contiguous_best)
        .value("contiguous_worst", Allocation::contiguous_worst)
        .value("least_spread", Allocation::least_spread);
    py::class_<PlacementEffect>(module, "PlacementEffect")
        .def(py::init<>())
        .def_readwrite("alpha", &PlacementEffect::alpha)
        .def_readwrite("beta", &PlacementEffect::beta)
        .def_readwrite("gamma", &PlacementEffect::gamma)
        .def_readwrite("seed", &PlacementEffect::seed);
    module.def("contiguity", &contiguity, py::arg("schedule"), py::arg("torus"),
               "Number of pieces, and mean and largest torus distance, of each job's nodes.");
    module.def("mean_distances", &job_distances, py::arg("schedule"), py::arg("torus"),
               "Only the mean torus distance of each job's nodes.");
    module.def("sensitive_jobs", &sensitive, py::arg("beta"), py::arg("seed"), py::arg("n_jobs"));
    // This class is used only by tests. Intervals are pairs (begin, end); (0, 0) stands for no
    // interval.
    py::class_<Slots>(module, "Slots")
        .def(py::init<NodeCount>(), py::arg("nodes"))
        .def_property_readonly("free", &Slots::free)
        .def("__len__", &Slots::count)
        .def("all", &all)
        .def("allocate",
             [](Slots& self, Pair taken) { self.allocate({taken.first, taken.second}); })
        .def("release",
             [](Slots& self, Pair freed) { self.release(NodeInterval{freed.first, freed.second}); })
        .def("slot_at",
             [](const Slots& self, std::int32_t at) { return pair_of(self.slot_at(at)); })
        .def(
            "first_fit",
            [](const Slots& self, NodeCount size, std::int32_t from) {
                return pair_of(self.first_fit(size, from));
            },
            py::arg("size"), py::arg("begin") = 0)
        .def("best_fit",
             [](const Slots& self, NodeCount size) { return pair_of(self.best_fit(size)); })
        .def("largest", &largest, py::arg("k"))
        .def("largest_size", &Slots::largest_size)
        .def("least_spread", &Slots::least_spread)
        .def("take_first", &take_first, py::arg("size"), py::arg("begin") = 0);
}

} // namespace slotwise::bindings
