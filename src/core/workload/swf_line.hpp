// Converts one line in Standard Workload Format 2.2 from text to its 18 fields, as integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slotwise {

inline constexpr std::size_t kSwfFields = 18;

// Fields are counted from 0 here, but from 1 in the specification of the format.
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

// Values that replace numbers that do not fit in 64 bits.
inline constexpr std::int64_t kTooLarge = INT64_MAX;
inline constexpr std::int64_t kTooSmall = INT64_MIN;

struct SwfLineFaults {
    std::size_t fields = 0; // tokens on the line
    bool malformed = false; // one of the first 18 fields is not a number
    bool decimals = false;  // one of the first 18 fields has a point or exponent: rounded half up
    bool saturated = false; // one of the first 18 fields is kTooLarge or kTooSmall
};

inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Reads a number in its usual form: up to 18 digits, with a minus sign, with decimals, or with
// neither. For any other form, returns false and leaves `value` undefined.
bool parse_usual_number(std::string_view token, std::int64_t& value, SwfLineFaults& faults);

// Reads any line, which must not include its line end. A missing field becomes -1, and a number
// that does not fit becomes kTooLarge or kTooSmall. A number may have a sign, decimals and an
// exponent.
SwfLineFaults parse_line(std::string_view line, SwfRow& row);

// Reads the first line of `text` like `parse_line`, but several times faster, if the line is of
// usual length and begins with 18 numbers in their usual form. Returns the line without its line
// end, or an empty string if the line must be read by `parse_line`. `text` must end in '\n', and at
// least kPlainMargin bytes of readable memory must precede it.
std::string_view parse_plain_line(std::string_view text, SwfRow& row, SwfLineFaults& faults);

inline constexpr std::size_t kPlainMargin = 8;

// Returns the text of a field of the line, or an empty string if the line has fewer fields.
std::string_view field_text(std::string_view line, std::size_t field);

} // namespace slotwise
