#include "record.hpp"

namespace slotwise::bindings {

namespace {

// Calls `act`, and converts a cast_error to a reference_cast_error, for which pybind11 raises a
// TypeError that shows the arguments.
template <class Act> auto checked(Act&& act) {
    try {
        return act();
    } catch (const py::cast_error&) {
        throw py::reference_cast_error();
    }
}

void* value_of(const RecordField& field, py::handle self) {
    return static_cast<std::byte*>(field.object(self)) + field.offset;
}

} // namespace

void add_field(py::handle type, const char* name, const RecordField& field) {
    const auto get = [field](const py::object& self) {
        return checked([&] { return field.read(value_of(field, self), self); });
    };
    const auto set = [field](const py::object& self, const py::object& given) {
        checked([&] { field.write(value_of(field, self), given); });
    };
    const py::is_method method(type);
    const py::handle property(reinterpret_cast<PyObject*>(&PyProperty_Type));
    type.attr(name) = property(py::cpp_function(get, method, py::name(name)),
                               py::cpp_function(set, method, py::name(name)));
}

} // namespace slotwise::bindings
