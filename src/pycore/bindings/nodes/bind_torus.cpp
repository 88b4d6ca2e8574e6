#include "bindings.hpp"
#include "columns.hpp"
#include "machine/torus/node_order/node_order.hpp"
#include "machine/torus/node_order/sequence_locality.hpp"
#include "machine/torus/torus.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace slotwise::bindings {

namespace {

void check_position(const Torus& torus, std::int32_t position) {
    if (position < 0 || position >= torus.nodes())
        throw py::index_error("position " + std::to_string(position) +
                              " is out of range; this torus has positions 0 to " +
                              std::to_string(torus.nodes() - 1));
}

py::array_t<std::int32_t> coordinates(const Torus& torus, const Column<std::int32_t>& positions) {
    const auto dimensions = static_cast<py::ssize_t>(torus.dimensions());
    py::array_t<std::int32_t> rows({static_cast<py::ssize_t>(positions.size()), dimensions});
    std::int32_t* out = rows.mutable_data();
    for (const std::int32_t position : span_of(positions)) {
        check_position(torus, position);
        const auto node = torus.coordinates(position);
        out = std::copy(node.begin(), node.end(), out);
    }
    return rows;
}

// For each row of coordinates, returns the position of the node with these coordinates. Raises an
// IndexError if a coordinate is outside the torus.
py::array positions(const Torus& torus, const Column<std::int32_t>& rows) {
    const std::size_t dimensions = torus.dimensions();
    const auto values = span_of(rows);
    std::vector<std::int32_t> found;
    for (std::size_t at = 0; at + dimensions <= values.size(); at += dimensions) {
        const auto node = values.subspan(at, dimensions);
        for (std::size_t axis = 0; axis < dimensions; ++axis)
            if (node[axis] < 0 || node[axis] >= torus.shape()[axis])
                throw py::index_error("coordinate " + std::to_string(node[axis]) + " of axis " +
                                      std::to_string(axis) +
                                      " is out of range; the number of nodes along this axis is " +
                                      std::to_string(torus.shape()[axis]));
        found.push_back(torus.position(node));
    }
    return own(std::move(found));
}

py::array distances(const Torus& torus, const Column<std::int32_t>& from,
                    const Column<std::int32_t>& to) {
    const auto a = span_of(from);
    const auto b = span_of(to);
    if (a.size() != b.size())
        throw std::invalid_argument("from and to must have the same number of positions");
    std::vector<std::int32_t> links(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        check_position(torus, a[i]);
        check_position(torus, b[i]);
        links[i] = torus.distance(a[i], b[i]);
    }
    return own(std::move(links));
}

// Computes the locality of the node order from the coordinates of the nodes.
SequenceLocality locality_of(const Torus& torus) {
    std::vector<NodeIndex> line;
    for (std::int32_t position = 0; position < torus.nodes(); ++position) {
        NodeIndex node = 0;
        for (std::size_t axis = 0; axis < torus.dimensions(); ++axis)
            node = node * static_cast<NodeIndex>(torus.shape()[axis]) +
                   static_cast<NodeIndex>(torus.coordinates(position)[axis]);
        line.push_back(node);
    }
    return {torus.shape(), line};
}

py::array mean_distances(const Torus& torus, const std::vector<std::int32_t>& lags) {
    std::vector<double> means;
    {
        // The GIL is not needed here: a torus never changes, and the caller keeps it alive.
        const py::gil_scoped_release unlocked;
        const SequenceLocality locality = locality_of(torus);
        for (const std::int32_t lag : lags) {
            if (lag < 1)
                throw std::invalid_argument("lag is " + std::to_string(lag) +
                                            "; it must be at least 1");
            means.push_back(locality.mean_distance(lag));
        }
    }
    return own(std::move(means));
}

} // namespace

void bind_torus(py::module_& module) {
    py::class_<Torus, std::shared_ptr<Torus>>(module, "Torus")
        // The GIL is not needed here: the torus is computed from the arguments alone.
        .def(py::init<std::vector<std::int32_t>, std::string, ProcCount>(), py::arg("shape"),
             py::arg("order"), py::arg("processors_per_node"),
             py::call_guard<py::gil_scoped_release>())
        .def_property_readonly("nodes", &Torus::nodes)
        .def_property_readonly("processors", &Torus::processors)
        .def("coordinates", &coordinates, py::arg("positions"))
        .def("positions", &positions, py::arg("coordinates"))
        .def("distances", &distances, py::arg("a"), py::arg("b"))
        .def("longer_steps", [](const Torus& torus) { return locality_of(torus).longer_steps(); })
        .def("mean_distances", &mean_distances, py::arg("lags"));
    module.attr("MAX_TORUS_DIMENSIONS") = Torus::kMaxDimensions;
    module.attr("MAX_TORUS_NODES") = Torus::kMaxNodes;
    module.def("node_orders", [] {
        std::vector<std::tuple<std::string, std::string, std::string>> orders;
        for (const NodeOrderEntry& entry : node_order_registry().entries())
            orders.emplace_back(entry.name, entry.doc, entry.reference);
        return orders;
    });
}

} // namespace slotwise::bindings
