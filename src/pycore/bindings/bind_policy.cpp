#include "bindings.hpp"

namespace slotwise::bindings {

void bind_policy(py::module_&) {}

}  // namespace slotwise::bindings
