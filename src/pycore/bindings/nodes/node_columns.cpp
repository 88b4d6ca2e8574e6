#include "nodes/node_columns.hpp"

#include <stdexcept>
#include <utility>

namespace slotwise::bindings {

std::vector<UnitDemand> demands_of(const Column<std::int64_t>& units,
                                   const Column<std::int64_t>& each) {
    if (each.ndim() != 2 || each.shape(0) != units.size())
        throw std::invalid_argument("`each` must have one row per job and one column per resource");
    std::vector<UnitDemand> demands(static_cast<std::size_t>(units.size()));
    for (py::ssize_t i = 0; i < units.size(); ++i) {
        UnitDemand& demand = demands[static_cast<std::size_t>(i)];
        demand.units = static_cast<std::int32_t>(units.at(i));
        for (py::ssize_t r = 0; r < each.shape(1); ++r)
            demand.each.set(static_cast<std::size_t>(r), each.at(i, r));
    }
    return demands;
}

py::tuple arrays_of(std::span<const Place> places) {
    std::vector<std::int32_t> node;
    std::vector<std::int32_t> units;
    for (const Place& place : places) {
        node.push_back(place.node);
        units.push_back(place.units);
    }
    return py::make_tuple(own(std::move(node)), own(std::move(units)));
}

} // namespace slotwise::bindings
