// Bindings for the solvers of the `window` backfill. Only tests of the core use them.
#include "columns.hpp"
#include "planner/torus/knapsack/branch_and_bound.hpp"
#include "planner/torus/knapsack/greedy.hpp"

#include <cstdint>

namespace slotwise::bindings {

namespace {

using knapsack::SlotIndex;

template <class Solver>
py::array solve(const Column<ProcCount>& sizes, const Column<ProcCount>& capacities) {
    std::vector<SlotIndex> slot_of(static_cast<std::size_t>(sizes.size()));
    const knapsack::Instance instance{span_of(sizes), span_of(capacities), slot_of};
    {
        // The GIL is not needed here: the arrays are only read, and the caller keeps them alive.
        py::gil_scoped_release release;
        Solver().solve(instance);
    }
    return own(std::move(slot_of));
}

py::array largest_of(const Column<ProcCount>& capacities, std::size_t n) {
    std::vector<SlotIndex> kept;
    knapsack::largest_slots(span_of(capacities), n, kept);
    return own(std::move(kept));
}

// Returns the number of occupied nodes after each step of the greedy solver.
std::vector<std::int64_t> greedy_totals(const Column<ProcCount>& sizes,
                                        const Column<ProcCount>& capacities) {
    std::vector<SlotIndex> slot_of(static_cast<std::size_t>(sizes.size()));
    knapsack::Greedy greedy;
    greedy.solve({span_of(sizes), span_of(capacities), slot_of});
    const auto [filled, exchanged, replaced] = greedy.totals();
    return {filled, exchanged, replaced};
}

} // namespace

void bind_knapsack(py::module_& module) {
    module.def("branch_and_bound", &solve<knapsack::BranchAndBound>, py::arg("sizes").noconvert(),
               py::arg("capacities").noconvert());
    module.def("greedy", &solve<knapsack::Greedy>, py::arg("sizes").noconvert(),
               py::arg("capacities").noconvert());
    module.def("greedy_totals", &greedy_totals, py::arg("sizes").noconvert(),
               py::arg("capacities").noconvert());
    module.def("largest_slots", &largest_of, py::arg("capacities").noconvert(), py::arg("n"));
}

} // namespace slotwise::bindings
