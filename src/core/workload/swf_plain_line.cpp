// A fast reader for ordinary SWF lines. A loop over the characters would mispredict a branch at the
// end of every number and of every run of blanks. The mispredictions would take longer than all the
// arithmetic. Instead, the line is converted to a bit mask of its tokens, and each token is
// converted to a number by three multiplications. Few branches depend on the text. Example:
//
//   text    "  15 599850 -1\n"
//   token    00110111111011        one bit per character
//   edges    00101100000110 1      changes of the mask: begin, end, begin, end, ...
//   number   the 8 bytes up to a token's end, cut to its length, each minus '0': 00000015 -> 15
#include "workload/swf_line.hpp"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

#if defined(__SSE2__)

namespace {

constexpr std::size_t kWindow = 128; // characters read; longer lines are left to `parse_line`

struct Mask {
    std::uint64_t low = 0;  // characters 0 to 63
    std::uint64_t high = 0; // characters 64 to 127
};

struct LineMasks {
    Mask token;
    Mask newline;
};

std::uint64_t bits_of(__m128i matches) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(matches)));
}

void scan_half(const char* text, std::uint64_t& token, std::uint64_t& newline) {
    const __m128i blank = _mm_set1_epi8(' ');
    const __m128i tab = _mm_set1_epi8('\t');
    const __m128i end = _mm_set1_epi8('\n');
    std::uint64_t blanks = 0;
    for (int i = 0; i < 4; ++i) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
        const __m128i is_blank =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, blank), _mm_cmpeq_epi8(bytes, tab));
        blanks |= bits_of(is_blank) << (16 * i);
        newline |= bits_of(_mm_cmpeq_epi8(bytes, end)) << (16 * i);
    }
    token = ~blanks;
}

// Counts the bits that are set, as std::popcount does. If the target lacks a popcount instruction,
// the compiler turns std::popcount into a function call, which is slower.
std::size_t count_bits(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (bits * 0x0101010101010101) >> 56;
}

// The positions in the line at which tokens begin and end, alternating. Only the first `count`
// elements of `at` are valid.
struct Edges {
    std::array<std::uint8_t, kWindow + 8> at;
    std::size_t count = 0;

    // Always writes groups of eight positions, even if fewer are needed. The branches taken
    // therefore hardly depend on the text.
    void add(std::uint64_t edges, unsigned offset) {
        const auto total = count_bits(edges);
        for (std::size_t done = 0; done < total; done += 8)
            for (std::size_t i = 0; i < 8; ++i) {
                at[count + done + i] = static_cast<std::uint8_t>(
                    static_cast<unsigned>(std::countr_zero(edges)) + offset);
                edges &= edges - 1;
            }
        count += total;
    }
};

// Reads the number whose `length` digits (1 to 8) end before `end`. Returns false if any of these
// characters is not a digit.
bool parse_digits(const char* end, std::size_t length, std::uint64_t& value) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t digits;
    std::memcpy(&digits, end - 8, 8);
    digits ^= 0x3030303030303030;
    digits &= ~std::uint64_t{0} << (64 - 8 * length);
    const std::uint64_t above_nine = (digits + 0x7676767676767676) | digits;
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000FF000000FF) * 0x000F424000000064 +
              ((digits >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
             32;
    value = digits;
    return (above_nine & 0x8080808080808080) == 0;
}

} // namespace

std::string_view parse_plain_line(std::string_view text, SwfRow& row, SwfLineFaults& faults) {
    if (text.size() < kWindow) return {};
    LineMasks masks;
    scan_half(text.data(), masks.token.low, masks.newline.low);
    scan_half(text.data() + 64, masks.token.high, masks.newline.high);
    std::size_t length = static_cast<std::size_t>(std::countr_zero(masks.newline.low));
    if (length == 64) length += static_cast<std::size_t>(std::countr_zero(masks.newline.high));
    if (length == 0 || length == kWindow) return {};
    if (text[length - 1] == '\r') --length;
    if (length <= 64) {
        masks.token.low &= length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
        masks.token.high = 0;
    } else {
        masks.token.high &= (std::uint64_t{1} << (length - 64)) - 1;
    }
    Edges edges;
    edges.add(masks.token.low ^ (masks.token.low << 1), 0);
    edges.add(masks.token.high ^ (masks.token.high << 1 | masks.token.low >> 63), 64);
    if (edges.count < 2 * kSwfFields) return {};

    faults = {};
    for (std::size_t i = 0; i < kSwfFields; ++i) {
        const std::size_t begin = edges.at[2 * i];
        const std::size_t end = edges.at[2 * i + 1];
        const bool negative = text[begin] == '-';
        const std::size_t digits = end - begin - negative;
        std::uint64_t value;
        if (digits - 1 < 8 && parse_digits(text.data() + end, digits, value)) {
            const auto number = static_cast<std::int64_t>(value);
            row[i] = negative ? -number : number;
        } else if (digits == 0 ||
                   !parse_usual_number(text.substr(begin, end - begin), row[i], faults)) {
            return {};
        }
    }
    faults.fields = edges.count / 2;
    return text.substr(0, length);
}

#else

std::string_view parse_plain_line(std::string_view, SwfRow&, SwfLineFaults&) {
    return {};
}

#endif

} // namespace slotwise
