#include "workload/text/cell.hpp"

#include <cmath>

namespace slotwise {

namespace {

constexpr double kFirstMilliseconds = 1e11; // 1e11 seconds after 1970 is in the year 5138
constexpr double kFirstMicroseconds = 1e14;

// Returns the number of days from 1970-01-01 to a day of the Gregorian calendar. In this
// computation, years begin in March.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
    year -= month <= 2;
    const std::int64_t era = year / 400; // years before 0 are not read
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const std::int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

bool is_date(std::int64_t year, std::int64_t month, std::int64_t day) {
    constexpr std::int8_t lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > lengths[month - 1]) return false;
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month != 2 || day < 29 || leap;
}

// Removes `count` digits from the beginning of `text` and returns their value, or -1 if there are
// fewer digits.
std::int64_t take_digits(std::string_view& text, std::size_t count) {
    if (text.size() < count) return -1;
    std::int64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
        if (digit > 9) return -1;
        value = value * 10 + digit;
    }
    text.remove_prefix(count);
    return value;
}

bool take(std::string_view& text, char letter) {
    if (!text.starts_with(letter)) return false;
    text.remove_prefix(1);
    return true;
}

// Removes one or two digits from the beginning of `text` and returns their value, or -1 if there
// are none.
std::int64_t take_short(std::string_view& text) {
    const std::int64_t two = take_digits(text, 2);
    return two >= 0 ? two : take_digits(text, 1);
}

// Removes a time of the form HH:MM[:SS[.f]] from the beginning of `text` and returns it in seconds.
// Returns -1 if there is no valid time.
std::int64_t take_clock(std::string_view& text, bool one_digit_hour) {
    const std::int64_t hour = one_digit_hour ? take_short(text) : take_digits(text, 2);
    if (hour < 0 || hour > 24 || !take(text, ':')) return -1;
    const std::int64_t minute = take_digits(text, 2);
    if (minute < 0 || minute > 59) return -1;
    std::int64_t second = 0;
    if (take(text, ':')) {
        second = take_digits(text, 2);
        if (second < 0 || second > 60) return -1;
        if (take(text, '.') || take(text, ',')) {
            if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
            while (!text.empty() && text[0] >= '0' && text[0] <= '9')
                text.remove_prefix(1);
        }
    }
    return hour * 3600 + minute * 60 + second;
}

// Removes AM or PM from the beginning of `text` and returns the time on a 24-hour clock. Returns -1
// if the hour is not from 1 to 12. If there is no AM or PM, returns the time unchanged.
std::int64_t take_half_day(std::string_view& text, std::int64_t clock) {
    std::string_view rest = text;
    while (take(rest, ' ')) {
    }
    const bool after_noon = take(rest, 'P') || take(rest, 'p');
    if (!after_noon && !take(rest, 'A') && !take(rest, 'a')) return clock;
    if (!take(rest, 'M') && !take(rest, 'm')) return clock;
    text = rest;
    const std::int64_t hour = clock / 3600;
    if (hour < 1 || hour > 12) return -1;
    return clock + (after_noon ? 12 : 0) * 3600 - (hour == 12 ? 12 : 0) * 3600;
}

// Reads the time zone that follows a time (nothing, Z, UTC, GMT, ±HH, ±HHMM or ±HH:MM), and
// converts `cell.seconds` to UTC. Returns false for any other text.
bool take_zone(std::string_view text, InstantCell& cell) {
    cell.zoned = false;
    while (take(text, ' ')) {
    }
    if (text.empty()) return true;
    cell.zoned = true;
    if (text == "Z" || text == "z" || text == "UTC" || text == "GMT") return true;
    const bool west = text[0] == '-';
    if (!west && text[0] != '+') return false;
    text.remove_prefix(1);
    const std::int64_t hours = take_digits(text, 2);
    take(text, ':');
    const std::int64_t minutes = text.empty() ? 0 : take_digits(text, 2);
    if (hours < 0 || hours > 15 || minutes < 0 || minutes > 59 || !text.empty()) return false;
    cell.seconds -= (west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

InstantCell dated(std::int64_t year, std::int64_t month, std::int64_t day, std::string_view rest,
                  bool is_us) {
    InstantCell cell;
    if (!is_date(year, month, day)) return cell;
    const std::int64_t midnight = days_of(year, month, day) * 86400;
    cell.zoned = false;
    if (rest.empty()) {
        cell.seconds = midnight;
        return cell;
    }
    if (!take(rest, 'T') && !take(rest, ' ')) return cell;
    std::int64_t clock = take_clock(rest, is_us);
    if (clock >= 0 && is_us) clock = take_half_day(rest, clock);
    if (clock < 0) return cell;
    cell.seconds = midnight + clock;
    if (!take_zone(rest, cell)) cell.seconds = kUnreadableCell;
    return cell;
}

InstantCell since_epoch(std::string_view text) {
    InstantCell cell;
    const NumberCell number = read_number(text);
    if (!number.readable || !std::isfinite(number.decimal)) return cell;
    if (number.whole && std::abs(number.decimal) < kFirstMilliseconds) {
        cell.seconds = number.integer;
        return cell;
    }
    const double size = std::abs(number.decimal);
    const double unit = size < kFirstMilliseconds ? 1 : size < kFirstMicroseconds ? 1e3 : 1e6;
    if (size / unit < 9e15)
        cell.seconds = static_cast<std::int64_t>(std::floor(number.decimal / unit));
    return cell;
}

} // namespace

InstantCell read_instant(std::string_view text) {
    std::string_view rest = text;
    if (text.size() >= 10 && text[4] == text[7] && (text[4] == '-' || text[4] == '/')) {
        const std::int64_t year = take_digits(rest, 4);
        rest.remove_prefix(1);
        const std::int64_t month = take_digits(rest, 2);
        rest.remove_prefix(1);
        const std::int64_t day = take_digits(rest, 2);
        return dated(year, month, day, rest, false);
    }
    if (text.size() >= 8 && (text[1] == '/' || text[2] == '/')) {
        const std::int64_t month = take_short(rest);
        if (!take(rest, '/')) return {};
        const std::int64_t day = take_short(rest);
        if (!take(rest, '/')) return {};
        const std::int64_t year = take_digits(rest, 4);
        return dated(year, month, day, rest, true);
    }
    return since_epoch(text);
}

} // namespace slotwise
