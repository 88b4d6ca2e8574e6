#include "bindings.hpp"

namespace slotwise::bindings {

void bind_report(py::module_&) {}

}  // namespace slotwise::bindings
