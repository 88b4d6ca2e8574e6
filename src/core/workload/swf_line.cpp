#include "workload/swf_line.hpp"

#include "workload/text/digits.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace slotwise {

namespace {

// Returns the next token and removes it from `rest`. Returns an empty string if there are no more
// tokens.
std::string_view next_token(std::string_view& rest) {
    std::size_t first = 0;
    while (first < rest.size() && is_blank(rest[first]))
        ++first;
    std::size_t last = first;
    while (last < rest.size() && !is_blank(rest[last]))
        ++last;
    const std::string_view token = rest.substr(first, last - first);
    rest.remove_prefix(last);
    return token;
}

// Returns the exponent, the number after 'e', limited to the range from -999 to 999. Returns
// nothing if `text` is not a number.
std::optional<int> parse_exponent(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
    int value = 0;
    for (const char digit : text)
        value = std::min(value * 10 + (digit - '0'), 999);
    return negative ? -value : value;
}

struct Number {
    std::int64_t value;
    bool decimal;
};

// Returns the value of a decimal number, rounded half up. The decimal point is after the first
// `point` digits; missing digits count as 0.
std::int64_t round_half_up(std::string_view digits, std::int64_t point, bool negative) {
    std::int64_t whole = 0;
    for (std::int64_t i = 0; i < point; ++i) {
        const bool given = i < static_cast<std::int64_t>(digits.size());
        const int digit = given ? digits[static_cast<std::size_t>(i)] - '0' : 0;
        if (whole > (INT64_MAX - 9) / 10) return negative ? kTooSmall : kTooLarge;
        whole = whole * 10 + digit;
    }
    const bool has_tenth = point >= 0 && point < static_cast<std::int64_t>(digits.size());
    const char tenth = has_tenth ? digits[static_cast<std::size_t>(point)] : '0';
    if (!negative) return tenth >= '5' ? whole + 1 : whole;
    const bool behind = has_tenth && digits.find_first_not_of('0', static_cast<std::size_t>(point) +
                                                                       1) != digits.npos;
    return tenth > '5' || (tenth == '5' && behind) ? -whole - 1 : -whole;
}

std::optional<Number> parse_number(std::string_view token) {
    const bool negative = token[0] == '-';
    if (negative || token[0] == '+') token.remove_prefix(1);
    const auto is_mantissa = [](char c) { return is_digit(c) || c == '.'; };
    const auto end = std::find_if_not(token.begin(), token.end(), is_mantissa);
    std::string_view mantissa = token.substr(0, static_cast<std::size_t>(end - token.begin()));
    std::string_view rest = token.substr(mantissa.size());

    int exponent = 0;
    if (!rest.empty()) {
        if (rest[0] != 'e' && rest[0] != 'E') return std::nullopt;
        const auto given = parse_exponent(rest.substr(1));
        if (!given) return std::nullopt;
        exponent = *given;
    }
    const std::size_t dot = mantissa.find('.');
    std::string digits(mantissa.substr(0, dot));
    const auto point = static_cast<std::int64_t>(digits.size()) + exponent;
    if (dot != mantissa.npos) digits += mantissa.substr(dot + 1);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
    const bool decimal = dot != mantissa.npos || !rest.empty();
    return Number{round_half_up(digits, point, negative), decimal};
}

} // namespace

bool parse_usual_number(std::string_view token, std::int64_t& value, SwfLineFaults& faults) {
    const bool negative = token[0] == '-';
    if (negative) token.remove_prefix(1);
    std::int64_t whole = 0;
    std::size_t at = 0;
    for (; at < token.size() && at < 18 && is_digit(token[at]); ++at)
        whole = whole * 10 + (token[at] - '0');
    if (at == 0) return false;
    value = negative ? -whole : whole;
    if (at == token.size()) return true;
    if (token[at] != '.' || negative) return false;
    if (!std::all_of(token.begin() + static_cast<std::ptrdiff_t>(at) + 1, token.end(), is_digit))
        return false;
    if (at + 1 < token.size() && token[at + 1] >= '5') ++value;
    faults.decimals = true;
    return true;
}

SwfLineFaults parse_line(std::string_view line, SwfRow& row) {
    SwfLineFaults faults;
    row.fill(-1);
    for (std::string_view rest = line;; ++faults.fields) {
        const std::string_view token = next_token(rest);
        if (token.empty()) return faults;
        if (faults.fields >= kSwfFields || faults.malformed) continue;
        if (parse_usual_number(token, row[faults.fields], faults)) continue;
        const auto number = parse_number(token);
        if (!number) {
            faults.malformed = true;
            continue;
        }
        faults.decimals |= number->decimal;
        faults.saturated |= number->value == kTooLarge || number->value == kTooSmall;
        row[faults.fields] = number->value;
    }
}

std::string_view field_text(std::string_view line, std::size_t field) {
    std::string_view rest = line;
    for (std::size_t i = 0; i < field; ++i)
        next_token(rest);
    return next_token(rest);
}

} // namespace slotwise
