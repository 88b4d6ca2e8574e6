// Named columns in the layouts of Arrow, over the memory of NumPy arrays.
#pragma once

#include "bindings.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotwise::bindings {

// The words for a column of codes, as an Arrow utf8 array.
struct Labels {
    std::vector<std::int32_t> offsets{0};
    std::string text;
};

struct Field {
    std::string name;
    const char* format;
    const void* values; // data of the NumPy column, or of `bits`
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> validity; // empty if no value is null
    std::int64_t nulls = 0;
    std::optional<Labels> labels;
};

// Immutable after export; every exported structure shares it.
struct ArrowColumns {
    std::int64_t rows = 0;
    std::vector<Field> fields;
    std::vector<py::array> owners;
};
using SharedColumns = std::shared_ptr<const ArrowColumns>;

using NamedArrays = std::vector<std::pair<std::string, py::array>>;
using NamedLabels = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Numbers are borrowed from their arrays; negative integers become null. bool columns are packed
// into bits. Codes in a column with labels mean these words. Throws std::invalid_argument for
// columns of unequal length or of a type that is neither int64, int32, float64, uint8 nor bool.
SharedColumns make_columns(const NamedArrays& columns, const NamedLabels& labels);

} // namespace slotwise::bindings
