#include "bindings.hpp"

namespace slotwise::bindings {

void bind_trace(py::module_&) {}

}  // namespace slotwise::bindings
