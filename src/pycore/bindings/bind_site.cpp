#include "bindings.hpp"
#include "engine/site.hpp"

namespace slotwise::bindings {

void bind_site(py::module_& module) {
    py::class_<Site>(module, "Site")
        .def(py::init([](ProcCount processors, const Policy& policy) {
                 Site site;
                 site.processors = processors;
                 site.policy = policy;
                 return site;
             }),
             py::arg("processors"), py::arg("policy"));
}

} // namespace slotwise::bindings
