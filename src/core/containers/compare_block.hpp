// Branch-free comparisons of blocks of up to 64 values, with one result bit per value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

inline constexpr std::uint32_t kLanes = 64;

// Returns a word in which the bits of the first `count` (<= 64) lanes are set.
inline std::uint64_t first_lanes(std::uint32_t count) {
    return count >= kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Sets bit i of the result if values[i] >= bound, for each i < count. Values are read in whole
// groups of 16, so up to 15 elements after the last one must be readable.
inline std::uint64_t lanes_at_least(const std::int32_t* values, std::uint32_t count,
                                    std::int32_t bound) {
    std::uint64_t below = 0;
#if defined(__SSE2__)
    const __m128i limit = _mm_set1_epi32(bound);
    for (std::uint32_t i = 0; i < count; i += 16) {
        const auto* at = reinterpret_cast<const __m128i*>(values + i);
        const __m128i a = _mm_packs_epi32(_mm_cmplt_epi32(_mm_loadu_si128(at), limit),
                                          _mm_cmplt_epi32(_mm_loadu_si128(at + 1), limit));
        const __m128i b = _mm_packs_epi32(_mm_cmplt_epi32(_mm_loadu_si128(at + 2), limit),
                                          _mm_cmplt_epi32(_mm_loadu_si128(at + 3), limit));
        const int bits = _mm_movemask_epi8(_mm_packs_epi16(a, b));
        below |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << i;
    }
#else
    for (std::uint32_t i = 0; i < count; ++i)
        below |= static_cast<std::uint64_t>(values[i] < bound) << i;
#endif
    return ~below & first_lanes(count);
}

// Sets bit i of the result if values[i] + shift > bounds[i], for each i < count. Values are read in
// groups of 16.
inline std::uint64_t lanes_above(const std::int32_t* values, std::int32_t shift,
                                 const std::int32_t* bounds, std::uint32_t count) {
    std::uint64_t above = 0;
#if defined(__SSE2__)
    const __m128i shifts = _mm_set1_epi32(shift);
    const auto four = [&](std::uint32_t i) {
        const auto* value = reinterpret_cast<const __m128i*>(values + i);
        const auto* bound = reinterpret_cast<const __m128i*>(bounds + i);
        return _mm_cmpgt_epi32(_mm_add_epi32(_mm_loadu_si128(value), shifts),
                               _mm_loadu_si128(bound));
    };
    for (std::uint32_t i = 0; i < count; i += 16) {
        const __m128i a = _mm_packs_epi32(four(i), four(i + 4));
        const __m128i b = _mm_packs_epi32(four(i + 8), four(i + 12));
        const int bits = _mm_movemask_epi8(_mm_packs_epi16(a, b));
        above |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << i;
    }
#else
    for (std::uint32_t i = 0; i < count; ++i)
        above |= static_cast<std::uint64_t>(values[i] + shift > bounds[i]) << i;
#endif
    return above & first_lanes(count);
}

// Clamps a time or duration to the 32-bit range, so that it can be compared in SIMD lanes.
inline std::int32_t coarse_time(std::int64_t t) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(t, 0, std::numeric_limits<std::int32_t>::max()));
}

// Conditions under which a job's promised start may become earlier when part of the profile is
// freed. The first three must be met, and at least one of the last two (reach and length).
struct SpanBounds {
    std::int32_t above_width;    // processors > above_width
    std::int32_t up_to_width;    // processors <= up_to_width
    std::int32_t from_start;     // start >= from_start
    std::int32_t up_to_start;    // reach: start <= up_to_start
    std::int32_t up_to_duration; // length: duration <= up_to_duration
};

// The jobs that may start earlier, one bit per lane. `reach` marks the jobs that meet the condition
// "reach" of SpanBounds, and `fits` those that meet the condition "length".
struct GainingJobs {
    std::uint64_t reach = 0;
    std::uint64_t fits = 0;
};

// Marks each lane i with first <= i < count whose job is within `bounds`. Values are read in groups
// of 16.
inline void add_lanes_within(const std::int32_t* width, const std::int32_t* duration,
                             const std::int32_t* start, std::uint32_t first, std::uint32_t count,
                             const SpanBounds& bounds, GainingJobs& lanes) {
    std::uint64_t reach = 0, fits = 0;
#if defined(__SSE2__)
    const __m128i above_width = _mm_set1_epi32(bounds.above_width);
    const __m128i up_to_width = _mm_set1_epi32(bounds.up_to_width);
    const __m128i from_start = _mm_set1_epi32(bounds.from_start);
    const __m128i up_to_start = _mm_set1_epi32(bounds.up_to_start);
    const __m128i up_to_duration = _mm_set1_epi32(bounds.up_to_duration);
    const auto bits = [](const __m128i* masks) {
        const __m128i packed = _mm_packs_epi16(_mm_packs_epi32(masks[0], masks[1]),
                                               _mm_packs_epi32(masks[2], masks[3]));
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(packed)));
    };
    for (std::uint32_t i = first & ~15U; i < count; i += 16) {
        __m128i reaching[4], fitting[4];
        for (std::uint32_t k = 0; k < 4; ++k) {
            const auto load = [&](const std::int32_t* values) {
                return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i + 4 * k));
            };
            const __m128i w = load(width);
            const __m128i s = load(start);
            const __m128i apart =
                _mm_or_si128(_mm_cmpgt_epi32(w, up_to_width), _mm_cmplt_epi32(s, from_start));
            const __m128i open = _mm_andnot_si128(apart, _mm_cmpgt_epi32(w, above_width));
            reaching[k] = _mm_andnot_si128(_mm_cmpgt_epi32(s, up_to_start), open);
            fitting[k] = _mm_andnot_si128(_mm_cmpgt_epi32(load(duration), up_to_duration), open);
        }
        reach |= bits(reaching) << i;
        fits |= bits(fitting) << i;
    }
#else
    for (std::uint32_t i = first; i < count; ++i) {
        const bool open = width[i] > bounds.above_width && width[i] <= bounds.up_to_width &&
                          start[i] >= bounds.from_start;
        reach |= static_cast<std::uint64_t>(open && start[i] <= bounds.up_to_start) << i;
        fits |= static_cast<std::uint64_t>(open && duration[i] <= bounds.up_to_duration) << i;
    }
#endif
    const std::uint64_t looked_at = first_lanes(count) & ~first_lanes(first);
    lanes.reach |= reach & looked_at;
    lanes.fits |= fits & looked_at;
}

// Bounds on the promises that may fit into a run of free processors. All of them must be met.
struct RoomBounds {
    std::int32_t above_width;    // processors > above_width
    std::int32_t up_to_width;    // processors <= up_to_width
    std::int32_t up_to_duration; // duration <= up_to_duration
    std::int32_t from_start;     // start - duration >= from_start, or start is INT32_MAX
};

// Returns a word in which bit i is set if lane i is within `bounds`, for first <= i < count. Values
// are read in groups of 16.
inline std::uint64_t lanes_within(const std::int32_t* width, const std::int32_t* duration,
                                  const std::int32_t* start, std::uint32_t first,
                                  std::uint32_t count, const RoomBounds& bounds) {
    std::uint64_t lanes = 0;
#if defined(__SSE2__)
    const __m128i above_width = _mm_set1_epi32(bounds.above_width);
    const __m128i up_to_width = _mm_set1_epi32(bounds.up_to_width);
    const __m128i up_to_duration = _mm_set1_epi32(bounds.up_to_duration);
    const __m128i from_start = _mm_set1_epi32(bounds.from_start);
    const __m128i largest = _mm_set1_epi32(std::numeric_limits<std::int32_t>::max());
    for (std::uint32_t i = first & ~15U; i < count; i += 16) {
        __m128i within[4];
        for (std::uint32_t k = 0; k < 4; ++k) {
            const auto load = [&](const std::int32_t* values) {
                return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i + 4 * k));
            };
            const __m128i w = load(width);
            const __m128i d = load(duration);
            const __m128i s = load(start);
            const __m128i apart =
                _mm_or_si128(_mm_cmpgt_epi32(w, up_to_width), _mm_cmpgt_epi32(d, up_to_duration));
            const __m128i early = _mm_andnot_si128(
                _mm_cmpeq_epi32(s, largest), _mm_cmplt_epi32(_mm_sub_epi32(s, d), from_start));
            within[k] =
                _mm_andnot_si128(_mm_or_si128(apart, early), _mm_cmpgt_epi32(w, above_width));
        }
        const __m128i packed = _mm_packs_epi16(_mm_packs_epi32(within[0], within[1]),
                                               _mm_packs_epi32(within[2], within[3]));
        lanes |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(packed)))
                 << i;
    }
#else
    for (std::uint32_t i = first; i < count; ++i)
        lanes |= static_cast<std::uint64_t>(width[i] > bounds.above_width &&
                                            width[i] <= bounds.up_to_width &&
                                            duration[i] <= bounds.up_to_duration &&
                                            (start[i] - duration[i] >= bounds.from_start ||
                                             start[i] == std::numeric_limits<std::int32_t>::max()))
                 << i;
#endif
    return lanes & first_lanes(count) & ~first_lanes(first);
}

// Inserts `value` before the element at `index` in an array of `count` elements.
template <class Value>
void insert_lane(Value* values, std::uint32_t count, std::uint32_t index, Value value) {
    std::copy_backward(values + index, values + count, values + count + 1);
    values[index] = value;
}

template <class Value> void erase_lane(Value* values, std::uint32_t count, std::uint32_t index) {
    std::copy(values + index + 1, values + count, values + index);
}

} // namespace slotwise
