// Export of columns through the Arrow PyCapsule interface, without a copy and without
// linking Arrow.
#pragma once

#include "bindings.hpp"

namespace slotwise::bindings {

// Binds ArrowColumns, which exports named NumPy columns as `arrow_schema` and `arrow_array_stream`
// capsules.
void bind_arrow(py::module_& module);

} // namespace slotwise::bindings
