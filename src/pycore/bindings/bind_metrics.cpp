#include "bindings.hpp"

namespace slotwise::bindings {

void bind_metrics(py::module_&) {}

}  // namespace slotwise::bindings
