#include "bindings.hpp"

namespace slotwise::bindings {

void bind_simulator(py::module_&) {}

}  // namespace slotwise::bindings
