// Converts cells of a text file to numbers. For example, "1-02:00:00" is 93600 seconds, and "16Gn"
// is 16777216 KB per node.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace slotwise {

// Values that a column contains for an empty cell and for an unreadable cell.
inline constexpr std::int64_t kMissingCell = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kUnreadableCell = kMissingCell + 1;

inline constexpr std::size_t kLongestNumber = 400;

// A number. If it is a whole number that fits in 64 bits, `whole` is true and `integer` has its
// value.
struct NumberCell {
    bool readable = false;
    bool whole = false;
    std::int64_t integer = 0;
    double decimal = 0;
};

// Reads a number of the form [+-]digits[.digits][e[+-]digits], [+-]nan or [+-]inf, with at most
// kLongestNumber characters. The digits before or after the point may be missing.
NumberCell read_number(std::string_view text);

// Reads a duration and returns seconds. The text has the form [D-]HH:MM:SS[.f], MM:SS[.f], D-HH or
// D-HH:MM, or is a plain number in units of `bare` seconds. Fractions of a second are rounded half
// up. Returns kUnreadableCell for any other text.
std::int64_t read_duration(std::string_view text, double bare);

// A point in time, in seconds since 1970. If the text contains no time zone, `zoned` is false and
// the value is a local time.
struct InstantCell {
    std::int64_t seconds = kUnreadableCell;
    bool zoned = true;
};

// Reads a point in time, which has one of these forms:
//
//     YYYY-MM-DD[(T| )HH:MM[:SS[.f]][Z|UTC|GMT|±HH[[:]MM]]], or with / instead of -
//     M/D/YYYY[ H:MM[:SS][ AM|PM]]
//     the time since 1970, as a number
//
// Such a number is in seconds if it is below 10^11, in milliseconds if it is below 10^14, and
// otherwise in microseconds. Fractions of a second are cut off.
InstantCell read_instant(std::string_view text);

enum class PerUnit : std::int8_t { job = 0, core = 1, node = 2 };

struct SizeCell {
    std::int64_t kilobytes = kUnreadableCell;
    PerUnit per = PerUnit::job;
};

// Reads a size such as 2800Mc, 16Gn, 512G, 15240kb or 1.5T. A number without a letter is in units
// of `bare` kilobytes. Fractions of a kilobyte are rounded half up.
SizeCell read_size(std::string_view text, double bare);

// The number of a job, its task, and whether it is a step. Examples: "12", "12_3", "12_[1-4%2]",
// "12[3].host", "12.batch", "12+1".
struct JobIdCell {
    std::int64_t number = kUnreadableCell;
    // Task number. -1: no task. -2: several tasks. -2 - k: several tasks, of which at most k may
    // run at once.
    std::int64_t task = -1;
    bool is_step = false;
};

JobIdCell read_job_id(std::string_view text);

// Returns the value of `key` in a string such as "key=value,key=value". The value is a number, a
// size in kilobytes or a duration in seconds. If the text does not contain "key=value", the values
// of all items of the form "key:kind=value" are added up.
std::int64_t read_item(std::string_view text, std::string_view key);

std::string_view trimmed_slowly(std::string_view text);

inline std::string_view trimmed(std::string_view text) {
    const auto is_ink = [](char c) { return static_cast<unsigned char>(c) > ' '; };
    if (!text.empty() && is_ink(text.front()) && is_ink(text.back())) return text;
    return text.empty() ? text : trimmed_slowly(text);
}

} // namespace slotwise
