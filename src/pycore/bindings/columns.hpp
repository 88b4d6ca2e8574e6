// Converts columns between NumPy and the core.
#pragma once

#include "bindings.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise::bindings {

// An array of another type is converted only if no value can change, as from int32 to int64. Any
// other type, such as float64 for an int64 column, raises a TypeError.
template <class Value> using Column = py::array_t<Value, py::array::c_style>;

template <class Value> std::span<const Value> span_of(const Column<Value>& column) {
    return {column.data(), static_cast<std::size_t>(column.size())};
}

template <class Value> std::vector<Value> copy_of(const Column<Value>& column) {
    const std::span<const Value> values = span_of(column);
    return {values.begin(), values.end()};
}

// Returns a read-only NumPy array that owns the values of `column`.
template <class Value> py::array own(std::vector<Value> column) {
    auto owned = std::make_unique<std::vector<Value>>(std::move(column));
    const std::vector<Value>& values = *owned;
    py::capsule owner(owned.get(), [](void* p) { delete static_cast<std::vector<Value>*>(p); });
    owned.release();
    return view(values, owner);
}

} // namespace slotwise::bindings
