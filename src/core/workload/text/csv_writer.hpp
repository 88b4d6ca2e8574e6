// Writer of columns as rows of CSV: 7, 1.5, "a, b".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace slotwise {

// Words by code; a negative code is an empty field. The words are written unchanged.
struct CsvWords {
    std::span<const std::int32_t> codes;
    std::vector<std::string> words;
};

// In each row, the intervals first[k] to last[k] for offset[row] <= k < offset[row + 1]: "0-3 7".
struct CsvIntervals {
    std::span<const std::int32_t> first;
    std::span<const std::int32_t> last;
    std::span<const std::int64_t> offset;
};

using CsvColumn =
    std::variant<std::span<const std::int64_t>, std::span<const std::int32_t>,
                 std::span<const std::uint8_t>, std::span<const double>, CsvWords, CsvIntervals>;

// Rows `begin` to `end` - 1 of the columns, each of which must be long enough. Decimals are written
// as in Python: with the fewest digits that read back as the same number, and at least one after
// the point.
std::string format_csv(const std::vector<CsvColumn>& columns, std::size_t begin, std::size_t end);

// A word as a field: in quotes if necessary, or if `always` is true.
std::string quoted_csv(const std::string& word, bool always);

} // namespace slotwise
