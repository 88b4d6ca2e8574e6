#include "workload/text/cell.hpp"

#include "workload/text/digits.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace slotwise {

namespace {

// Returns the number of kilobytes in a unit, or 0 if the letter does not stand for a unit.
double kilobytes_of(char unit) {
    switch (unit) {
    case 'k':
    case 'K':
        return 1;
    case 'm':
    case 'M':
        return 1024;
    case 'g':
    case 'G':
        return 1024.0 * 1024;
    case 't':
    case 'T':
        return 1024.0 * 1024 * 1024;
    case 'p':
    case 'P':
        return 1024.0 * 1024 * 1024 * 1024;
    default:
        return 0;
    }
}

std::int64_t rounded(double value) {
    if (!(std::abs(value) < 9e18)) return kUnreadableCell;
    return static_cast<std::int64_t>(std::floor(value + 0.5));
}

double with_sign(std::string_view text, double value) {
    return text.starts_with('-') ? -value : value;
}

// Reads a whole number of the form [+-]digits that fits in 64 bits.
bool read_whole(std::string_view text, std::int64_t& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    return fault == std::errc{} && stop == end;
}

// Reads a number that consists of an optional '-' and 1 to 18 digits, as most numbers do.
bool read_short(std::string_view text, std::int64_t& value) {
    const bool is_negative = text[0] == '-';
    const std::size_t digits = text.size() - (is_negative ? 1 : 0);
    if (digits - 1 >= 18) return false;
    std::int64_t sum = 0;
    for (const char c : text.substr(text.size() - digits)) {
        const unsigned digit = static_cast<unsigned char>(c) - unsigned{'0'};
        if (digit > 9) return false;
        sum = sum * 10 + digit;
    }
    value = is_negative ? -sum : sum;
    return true;
}

bool only_number_letters(std::string_view text) {
    for (const char c : text)
        if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-') return false;
    return true;
}

NumberCell decimal_cell(double value) {
    return {.readable = true, .whole = false, .integer = 0, .decimal = value};
}

} // namespace

std::string_view trimmed_slowly(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

NumberCell read_number(std::string_view text) {
    NumberCell cell;
    if (text.empty() || text.size() > kLongestNumber) return cell;
    if (read_short(text, cell.integer)) {
        cell.readable = cell.whole = true;
        cell.decimal = static_cast<double>(cell.integer);
        return cell;
    }
    if (is_digit(text.back()) && read_whole(text, cell.integer) && text.substr(0, 2) != "+-") {
        cell.readable = cell.whole = true;
        cell.decimal = static_cast<double>(cell.integer);
        return cell;
    }
    const std::string_view bare = text.substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
    if (bare == "nan") return decimal_cell(std::numeric_limits<double>::quiet_NaN());
    if (bare == "inf") return decimal_cell(with_sign(text, HUGE_VAL));
    if (bare.empty() || !only_number_letters(bare) || (!is_digit(bare[0]) && bare[0] != '.'))
        return cell;
    double value = 0;
    const char* end = bare.data() + bare.size();
    const auto [stop, fault] = std::from_chars(bare.data(), end, value);
    if (stop != end || fault == std::errc::invalid_argument) return cell;
    if (fault == std::errc::result_out_of_range) value = std::strtod(std::string(bare).c_str(), {});
    return decimal_cell(with_sign(text, value));
}

std::int64_t read_duration(std::string_view text, double bare) {
    std::int64_t days = 0;
    const std::size_t dash = text.find('-');
    const bool has_days = dash != text.npos && dash > 0;
    if (has_days && (!is_digit(text[0]) || !read_whole(text.substr(0, dash), days)))
        return kUnreadableCell;
    std::string_view rest = has_days ? text.substr(dash + 1) : text;
    if (!has_days && rest.find(':') == rest.npos) {
        const NumberCell number = read_number(rest);
        if (!number.readable) return kUnreadableCell;
        return number.whole && bare == 1 ? number.integer : rounded(number.decimal * bare);
    }
    double parts[3] = {};
    int n_parts = 0;
    while (true) {
        const std::size_t end = rest.find(':');
        const NumberCell part = read_number(rest.substr(0, end));
        if (n_parts == 3 || !part.readable || !(part.decimal >= 0) || !is_digit(rest[0]) ||
            (!part.whole && end != rest.npos))
            return kUnreadableCell;
        parts[n_parts++] = part.decimal;
        if (end == rest.npos) break;
        rest.remove_prefix(end + 1);
    }
    // The first part is in hours if the text begins with days, as in 1-02:30, or if there are three
    // parts. Otherwise, the two parts are minutes and seconds.
    const bool from_hours = has_days || n_parts == 3;
    const double seconds =
        from_hours ? parts[0] * 3600 + parts[1] * 60 + parts[2] : parts[0] * 60 + parts[1];
    return rounded(static_cast<double>(days) * 86400 + seconds);
}

SizeCell read_size(std::string_view text, double bare) {
    SizeCell cell;
    if (text.ends_with('c') || text.ends_with('n')) {
        cell.per = text.back() == 'c' ? PerUnit::core : PerUnit::node;
        text.remove_suffix(1);
    }
    double unit = bare;
    if (text.ends_with('b') || text.ends_with('B')) {
        text.remove_suffix(1);
        unit = 1.0 / 1024;
    }
    if (text.ends_with('i')) text.remove_suffix(1);
    if (!text.empty() && kilobytes_of(text.back()) > 0) {
        unit = kilobytes_of(text.back());
        text.remove_suffix(1);
    }
    const NumberCell number = read_number(text);
    if (number.readable && number.decimal >= 0) cell.kilobytes = rounded(number.decimal * unit);
    return cell;
}

namespace {

// Returns the limit on running tasks, for example 4 for "1-10%4", or 0 if there is none.
std::int64_t limit_of(std::string_view tasks) {
    const std::size_t mark = tasks.find('%');
    std::int64_t most = 0;
    const bool is_given = mark != tasks.npos && read_whole(tasks.substr(mark + 1), most);
    return is_given && most > 0 && most < (std::int64_t{1} << 32) ? most : 0;
}

} // namespace

JobIdCell read_job_id(std::string_view text) {
    JobIdCell cell;
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits]))
        ++digits;
    if (digits == 0 || !read_whole(text.substr(0, digits), cell.number)) {
        cell.number = kUnreadableCell;
        return cell;
    }
    std::string_view rest = text.substr(digits);
    if (rest.starts_with('_') || rest.starts_with('[')) {
        const std::size_t open = rest.starts_with("_[") ? 2 : 1;
        const std::size_t end = rest.find_first_of("].", open);
        const std::string_view tasks = rest.substr(open, end == rest.npos ? end : end - open);
        if (!read_whole(tasks, cell.task)) cell.task = -2 - limit_of(tasks);
        const std::size_t dot = rest.find('.', open);
        rest = dot == rest.npos ? std::string_view{} : rest.substr(dot);
    }
    cell.is_step = rest.starts_with('.');
    return cell;
}

std::int64_t read_item(std::string_view text, std::string_view key) {
    std::int64_t sum = kMissingCell;
    while (!text.empty()) {
        const std::size_t end = text.find_first_of(", ");
        const std::string_view item = trimmed(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (!item.starts_with(key)) continue;
        const std::string_view rest = item.substr(key.size());
        const bool exact = rest.starts_with('=');
        if (!exact && !rest.starts_with(':')) continue;
        const std::string_view value = rest.substr(rest.rfind('=') + 1);
        std::int64_t amount = 0;
        if (rest.find('=') == rest.npos) return kUnreadableCell;
        // A value that ends in a letter is a size; one that ends in a digit is a duration or a
        // number.
        if (value.empty() || !is_digit(value[0])) return kUnreadableCell;
        if (value.find(':') != value.npos) {
            amount = read_duration(value, 1);
        } else if (is_digit(value.back())) {
            const NumberCell number = read_number(value);
            amount = number.whole      ? number.integer
                     : number.readable ? rounded(number.decimal)
                                       : kUnreadableCell;
        } else {
            amount = read_size(value, 1).kilobytes;
        }
        if (amount == kUnreadableCell || exact) return amount;
        if (sum != kMissingCell && sum > std::numeric_limits<std::int64_t>::max() - amount)
            return kUnreadableCell;
        sum = sum == kMissingCell ? amount : sum + amount;
    }
    return sum;
}

} // namespace slotwise
