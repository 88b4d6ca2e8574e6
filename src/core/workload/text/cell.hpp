// Cells of a text file as numbers: "1-02:00:00" is 93600 seconds, "16Gn" 16777216 KB per node.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace slotwise {

// Column values for an empty cell, and for a cell that cannot be read.
inline constexpr std::int64_t kMissingCell = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kUnreadableCell = kMissingCell + 1;

inline constexpr std::size_t kLongestNumber = 400;

// A number, and whether it is whole; a number that does not fit into 64 bits counts as not whole.
struct NumberCell {
    bool readable = false;
    bool whole = false;
    std::int64_t integer = 0;
    double decimal = 0;
};

// [+-]digits[.digits][e[+-]digits], nan or inf; at most kLongestNumber characters.
NumberCell read_number(std::string_view text);

// Seconds of [D-]HH:MM:SS[.f], MM:SS[.f], D-HH, D-HH:MM, or a bare number in units of `bare`
// seconds; fractions are rounded half up. kUnreadableCell for anything else.
std::int64_t read_duration(std::string_view text, double bare);

// A point in time, in seconds since 1970. `zoned` is false if the text names no zone: the value is
// then local time.
struct InstantCell {
    std::int64_t seconds = kUnreadableCell;
    bool zoned = true;
};

// YYYY-MM-DD[(T| )HH:MM[:SS[.f]]][Z|+HH[:]MM], M/D/YYYY[ H:MM[:SS][ AM|PM]], or a number since the
// epoch: seconds if below 10^11, milliseconds if below 10^14, otherwise microseconds. Fractions of
// a second are cut off.
InstantCell read_instant(std::string_view text);

enum class PerUnit : std::int8_t { job = 0, core = 1, node = 2 };

struct SizeCell {
    std::int64_t kilobytes = kUnreadableCell;
    PerUnit per = PerUnit::job;
};

// 2800Mc, 16Gn, 512G, 15240kb, 1.5T; a bare number is in units of `bare` kilobytes. Fractions of
// a kilobyte are rounded half up.
SizeCell read_size(std::string_view text, double bare);

// Number, task and kind of a job: "12", "12_3", "12_[1-4%2]", "12[3].host", "12.batch", "12+1".
struct JobIdCell {
    std::int64_t number = kUnreadableCell;
    std::int64_t task = -1; // -2: several; -2 - k: several, at most k of which may run at once
    bool is_step = false;
};

JobIdCell read_job_id(std::string_view text);

// The value of `key` in "key=value,key=value": a number, a size in kilobytes or a duration in
// seconds. If there is no "key=value", the values of "key:kind=value" are added up.
std::int64_t read_item(std::string_view text, std::string_view key);

std::string_view trimmed_slowly(std::string_view text);

inline std::string_view trimmed(std::string_view text) {
    const auto is_ink = [](char c) { return static_cast<unsigned char>(c) > ' '; };
    if (!text.empty() && is_ink(text.front()) && is_ink(text.back())) return text;
    return text.empty() ? text : trimmed_slowly(text);
}

} // namespace slotwise
