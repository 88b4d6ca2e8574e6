#include "arrow/arrow_columns.hpp"

#include <stdexcept>

namespace slotwise::bindings {

namespace {

// A consumer may release the columns from any thread, without the GIL. Columns that are released
// after the interpreter has ended are leaked.
void destroy(const ArrowColumns* columns) {
    if (!Py_IsInitialized()) return;
#if PY_VERSION_HEX >= 0x030D0000
    if (Py_IsFinalizing()) return;
#endif
    py::gil_scoped_acquire locked;
    delete columns;
}

template <class Holds> std::vector<std::uint8_t> pack_bits(std::int64_t rows, Holds&& holds) {
    std::vector<std::uint8_t> bits(static_cast<std::size_t>((rows + 7) / 8), 0);
    for (std::int64_t row = 0; row < rows; ++row)
        bits[static_cast<std::size_t>(row / 8)] |=
            static_cast<std::uint8_t>(static_cast<unsigned>(holds(row)) << (row % 8));
    return bits;
}

template <class Value> void mark_negative_as_null(Field& field, std::int64_t rows) {
    const auto* values = static_cast<const Value*>(field.values);
    for (std::int64_t row = 0; row < rows; ++row)
        field.nulls += values[row] < 0;
    if (field.nulls > 0)
        field.validity = pack_bits(rows, [&](std::int64_t row) { return values[row] >= 0; });
}

Field field_of(const std::string& name, const py::array& column, std::int64_t rows) {
    if (column.ndim() != 1 || column.size() != rows || !(column.flags() & py::array::c_style))
        throw std::invalid_argument("column " + name +
                                    " must be contiguous, with one value per row");
    Field field{name, "", column.data(), {}, {}, 0, {}};
    if (py::isinstance<py::array_t<std::int64_t>>(column)) {
        field.format = "l";
        mark_negative_as_null<std::int64_t>(field, rows);
    } else if (py::isinstance<py::array_t<std::int32_t>>(column)) {
        field.format = "i";
        mark_negative_as_null<std::int32_t>(field, rows);
    } else if (py::isinstance<py::array_t<double>>(column)) {
        field.format = "g";
    } else if (py::isinstance<py::array_t<std::uint8_t>>(column)) {
        field.format = "C";
    } else if (py::isinstance<py::array_t<bool>>(column)) {
        field.format = "b";
        const auto* values = static_cast<const bool*>(column.data());
        field.bits = pack_bits(rows, [&](std::int64_t row) { return values[row]; });
        field.values = field.bits.data();
    } else {
        throw std::invalid_argument("column " + name +
                                    " is neither int64, int32, float64, uint8 nor "
                                    "bool");
    }
    return field;
}

Labels labels_of(const std::vector<std::string>& words) {
    Labels labels;
    for (const std::string& word : words) {
        labels.text += word;
        labels.offsets.push_back(static_cast<std::int32_t>(labels.text.size()));
    }
    return labels;
}

} // namespace

SharedColumns make_columns(const NamedArrays& columns, const NamedLabels& labels) {
    auto built = std::make_unique<ArrowColumns>();
    built->rows = columns.empty() ? 0 : columns.front().second.size();
    for (const auto& [name, column] : columns) {
        built->fields.push_back(field_of(name, column, built->rows));
        built->owners.push_back(column);
    }
    for (const auto& [name, words] : labels)
        for (Field& field : built->fields)
            if (field.name == name) field.labels = labels_of(words);
    return SharedColumns(built.release(), &destroy);
}

} // namespace slotwise::bindings
