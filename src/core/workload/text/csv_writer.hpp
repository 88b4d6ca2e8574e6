// Writes columns as rows of CSV, for example 7, 1.5, "a, b".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace slotwise {

// A column of words, which are stored as codes. A negative code stands for an empty field. The
// words are written unchanged, so they must have been quoted (see quoted_csv).
struct CsvWords {
    std::span<const std::int32_t> codes;
    std::vector<std::string> words;
};

// A column of intervals. The field of a row lists the intervals from first[k] to last[k] for
// offset[row] <= k < offset[row + 1], for example "0-3 7".
struct CsvIntervals {
    std::span<const std::int32_t> first;
    std::span<const std::int32_t> last;
    std::span<const std::int64_t> offset;
};

using CsvColumn =
    std::variant<std::span<const std::int64_t>, std::span<const std::int32_t>,
                 std::span<const std::uint8_t>, std::span<const double>, CsvWords, CsvIntervals>;

// Returns the rows from `begin` to `end` - 1 as text. Each column must have at least `end` rows.
// Decimals are written as in Python, for example 0.1 and 7.0.
std::string format_csv(const std::vector<CsvColumn>& columns, std::size_t begin, std::size_t end);

// Returns a word as a field. The word is put in quotes if it contains a comma, a quote or a line
// end, or if `always` is true.
std::string quoted_csv(const std::string& word, bool always);

} // namespace slotwise
