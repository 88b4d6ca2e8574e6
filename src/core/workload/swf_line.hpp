// Conversion of one line of Standard Workload Format 2.2 from text to its 18 fields, as integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slotwise {

inline constexpr std::size_t kSwfFields = 18;

// Field i of the format is number i + 1 in its specification.
enum SwfField : std::size_t {
    kJobId,
    kSubmit,
    kWait,
    kRunTime,
    kAllocatedProcessors,
    kCpuTime,
    kUsedMemory,
    kRequestedProcessors,
    kRequestedTime,
    kRequestedMemory,
    kStatus,
    kUser,
    kGroup,
    kExecutable,
    kQueue,
    kPartition,
    kPrecedingJob,
    kThinkTime,
};

using SwfRow = std::array<std::int64_t, kSwfFields>;

// Placeholders for numbers that do not fit in 64 bits.
inline constexpr std::int64_t kTooLarge = INT64_MAX;
inline constexpr std::int64_t kTooSmall = INT64_MIN;

// Irregularities in a line.
struct SwfLineFaults {
    std::size_t fields = 0; // tokens on the line
    bool malformed = false; // one of the first 18 is not a number
    bool decimals = false;  // one of the first 18 was rounded, half up
    bool saturated = false; // one of the first 18 is kTooLarge or kTooSmall
};

inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Reads a number in the common form: up to 18 digits, optionally with a minus sign or decimals.
// Returns false, with an undefined `value`, for any other form.
bool parse_usual_number(std::string_view token, std::int64_t& value, SwfLineFaults& faults);

// Reads any line (without its line end). Absent fields become -1, and numbers that do not fit
// become kTooLarge or kTooSmall. A number may have a sign, decimals and an exponent.
SwfLineFaults parse_line(std::string_view line, SwfRow& row);

// Does the same as `parse_line`, several times faster, for a line of at least 18 numbers of usual
// length. Returns the line without its line end, or an empty string if the line needs `parse_line`.
// `text` must end in '\n' and begin kPlainMargin bytes after the start of readable memory.
std::string_view parse_plain_line(std::string_view text, SwfRow& row, SwfLineFaults& faults);

inline constexpr std::size_t kPlainMargin = 8;

// The text of field `field` of a line; empty if there are fewer fields.
std::string_view field_text(std::string_view line, std::size_t field);

} // namespace slotwise
