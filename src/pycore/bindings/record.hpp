// Classes whose members Python reads and writes.
#pragma once

#include "bindings.hpp"

#include <bit>
#include <cstddef>

namespace slotwise::bindings {

// How an attribute finds its value in an object, and converts it to and from Python.
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

// A nested object is a reference that keeps `self` alive; lists are copies.
template <class Value> py::object read_value(const void* value, py::handle self) {
    return py::cast(*static_cast<const Value*>(value), py::return_value_policy::reference_internal,
                    self);
}

template <class Value> void write_value(void* value, py::handle given) {
    *static_cast<Value*>(value) = given.cast<Value>();
}

// `field` does the same as def_readwrite, which compiles two functions per member. `field` compiles
// two functions per type of value, which takes a fraction of the time.
template <class Class> class Record : public py::class_<Class> {
  public:
    using py::class_<Class>::class_;

    template <class Value> Record& field(const char* name, Value Class::* member) {
        // A pointer to a data member is the member's offset (Itanium C++ ABI: GCC and Clang).
        static_assert(sizeof(member) == sizeof(std::ptrdiff_t));
        const auto offset = std::bit_cast<std::ptrdiff_t>(member);
        add_field(*this, name,
                  {&object_of<Class>, offset, &read_value<Value>, &write_value<Value>});
        return *this;
    }
};

} // namespace slotwise::bindings
