#include "workload/text/csv_writer.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace slotwise {

namespace {

constexpr std::size_t kWidestCell = 32;

template <class Integer> void append_integer(std::string& text, Integer value) {
    char digits[kWidestCell];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// As in Python, a number other than 0 is written with an exponent if its absolute value is below
// 1e-04 or at least 1e+16.
void append_decimal(std::string& text, double value) {
    if (!std::isfinite(value)) {
        text += std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
        return;
    }
    char digits[400];
    const double size = std::abs(value);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const char* end = std::to_chars(digits, digits + sizeof digits, value, format).ptr;
    const std::string_view written(digits, static_cast<std::size_t>(end - digits));
    text += written;
    if (plain && written.find('.') == written.npos) text += ".0";
}

void append_intervals(std::string& text, const CsvIntervals& column, std::size_t row) {
    const auto begin = static_cast<std::size_t>(column.offset[row]);
    const auto end = static_cast<std::size_t>(column.offset[row + 1]);
    for (std::size_t k = begin; k < end; ++k) {
        if (k > begin) text += ' ';
        append_integer(text, column.first[k]);
        if (column.last[k] == column.first[k]) continue;
        text += '-';
        append_integer(text, column.last[k]);
    }
}

struct Append {
    std::string& text;
    std::size_t row;

    template <class Integer> void operator()(std::span<const Integer> column) const {
        append_integer(text, column[row]);
    }
    void operator()(std::span<const std::uint8_t> column) const {
        append_integer(text, static_cast<unsigned>(column[row]));
    }
    void operator()(std::span<const double> column) const { append_decimal(text, column[row]); }
    void operator()(const CsvWords& column) const {
        if (column.codes[row] >= 0)
            text += column.words[static_cast<std::size_t>(column.codes[row])];
    }
    void operator()(const CsvIntervals& column) const { append_intervals(text, column, row); }
};

} // namespace

std::string quoted_csv(const std::string& word, bool always) {
    if (!always && word.find_first_of(",\"\r\n") == word.npos) return word;
    std::string text = "\"";
    for (const char c : word) {
        if (c == '"') text += '"';
        text += c;
    }
    return text + '"';
}

std::string format_csv(const std::vector<CsvColumn>& columns, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t row = begin; row < end; ++row) {
        for (const CsvColumn& column : columns) {
            std::visit(Append{text, row}, column);
            text += ',';
        }
        text.back() = '\n';
    }
    return text;
}

} // namespace slotwise
