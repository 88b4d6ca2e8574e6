// Exports columns through the Arrow PyCapsule interface, without copying them and without linking
// to Arrow.
#pragma once

#include "bindings.hpp"

namespace slotwise::bindings {

// Binds ArrowColumns, which exports named NumPy columns as capsules: `arrow_schema` and
// `arrow_array_stream`.
void bind_arrow(py::module_& module);

} // namespace slotwise::bindings
