// Named columns in the memory layout of Arrow, which use the memory of NumPy arrays where possible.
#pragma once

#include "bindings.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotwise::bindings {

// The words of a column that contains codes, as an Arrow utf8 array.
struct Labels {
    std::vector<std::int32_t> offsets{0};
    std::string text;
};

struct Field {
    std::string name;
    const char* format;
    const void* values; // points to the memory of the NumPy array, or to `bits`
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> validity; // empty if no value is null
    std::int64_t nulls = 0;
    std::optional<Labels> labels;
};

// The columns never change after they have been exported. All exported structures share them.
struct ArrowColumns {
    std::int64_t rows = 0;
    std::vector<Field> fields;
    std::vector<py::array> owners;
};
using SharedColumns = std::shared_ptr<const ArrowColumns>;

using NamedArrays = std::vector<std::pair<std::string, py::array>>;
using NamedLabels = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Numbers are not copied: they stay in the memory of their arrays. Negative integers become null.
// Columns of type bool are packed into bits. The labels of a column are the words for its codes.
// Throws std::invalid_argument if the columns have unequal lengths, or if a column is not of type
// int64, int32, float64, uint8 or bool.
SharedColumns make_columns(const NamedArrays& columns, const NamedLabels& labels);

} // namespace slotwise::bindings
