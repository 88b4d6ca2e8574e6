// Classes whose data members can be read and written from Python.
#pragma once

#include "bindings.hpp"

#include <bit>
#include <cstddef>

namespace slotwise::bindings {

// Describes an attribute: how its value is found in an object, and how it is converted to and from
// Python.
struct RecordField {
    void* (*object)(py::handle self);
    std::ptrdiff_t offset; // of the value, in bytes
    py::object (*read)(const void* value, py::handle self);
    void (*write)(void* value, py::handle given);
};

void add_field(py::handle type, const char* name, const RecordField& field);

template <class Class> void* object_of(py::handle self) {
    return &self.cast<Class&>();
}

// Returns the value of a member. A nested object is returned as a reference, which keeps `self`
// alive, and a list is returned as a copy.
template <class Value> py::object read_value(const void* value, py::handle self) {
    return py::cast(*static_cast<const Value*>(value), py::return_value_policy::reference_internal,
                    self);
}

template <class Value> void write_value(void* value, py::handle given) {
    *static_cast<Value*>(value) = given.cast<Value>();
}

// `field` has the same effect as def_readwrite, which compiles two functions for each member.
// `field` compiles two functions for each type of value, and therefore takes only a fraction of the
// compilation time.
template <class Class> class Record : public py::class_<Class> {
  public:
    using py::class_<Class>::class_;

    template <class Value> Record& field(const char* name, Value Class::* member) {
        // In the Itanium C++ ABI, which GCC and Clang use, a pointer to a data member is the offset
        // of the member.
        static_assert(sizeof(member) == sizeof(std::ptrdiff_t));
        const auto offset = std::bit_cast<std::ptrdiff_t>(member);
        add_field(*this, name,
                  {&object_of<Class>, offset, &read_value<Value>, &write_value<Value>});
        return *this;
    }
};

} // namespace slotwise::bindings
