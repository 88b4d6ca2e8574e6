// The bounds that a job's reservation sets for the jobs behind it in the queue. Sixteen jobs are
// compared with the bounds at a time.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

// A job may start if it takes at most `free` processors and meets one of two conditions: it lasts
// at most `until_shadow` seconds, or it takes at most `extra` processors.
struct BackfillBounds {
    ProcCount free;
    Duration until_shadow;
    ProcCount extra;
};

namespace backfill {

inline constexpr std::size_t kGroup = 16; // number of jobs tested together

// Returns the length with its highest bit flipped, so that signed comparisons order lengths
// correctly.
inline std::int32_t biased(Duration length) {
    return static_cast<std::int32_t>(length ^ 0x80000000U);
}

#if defined(__SSE2__)
// Tests four jobs, whose lengths were converted by biased(). Sets all bits in the lane of each job
// that is outside the bounds.
class Barred {
  public:
    explicit Barred(const BackfillBounds& bounds)
        : most_(_mm_set1_epi32(bounds.free)), most_spare_(_mm_set1_epi32(bounds.extra)),
          limit_(_mm_set1_epi32(biased(bounds.until_shadow))) {}

    [[gnu::always_inline]] __m128i operator()(const ProcCount* processors,
                                              const std::int32_t* lengths) const {
        const __m128i p = _mm_loadu_si128(reinterpret_cast<const __m128i*>(processors));
        const __m128i length = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lengths));
        const __m128i delays =
            _mm_and_si128(_mm_cmpgt_epi32(length, limit_), _mm_cmpgt_epi32(p, most_spare_));
        return _mm_or_si128(_mm_cmpgt_epi32(p, most_), delays);
    }

  private:
    __m128i most_, most_spare_, limit_;
};
#endif

// Sets bit i of the result if the i-th of sixteen jobs is within the bounds. `lengths` must have
// been converted by biased().
[[gnu::always_inline]] inline unsigned
fitting(const ProcCount* processors, const std::int32_t* lengths, const BackfillBounds& bounds) {
#if defined(__SSE2__)
    const Barred barred(bounds);
    const __m128i low =
        _mm_packs_epi32(barred(processors, lengths), barred(processors + 4, lengths + 4));
    const __m128i high =
        _mm_packs_epi32(barred(processors + 8, lengths + 8), barred(processors + 12, lengths + 12));
    return ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFU;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < kGroup; ++i) {
        const bool passes =
            lengths[i] <= biased(bounds.until_shadow) || processors[i] <= bounds.extra;
        mask |= static_cast<unsigned>(processors[i] <= bounds.free && passes) << i;
    }
    return mask;
#endif
}

// Sets bit i of the result if the i-th of sixteen values is at most `most`.
inline unsigned at_most(const std::int32_t* values, std::int32_t most) {
#if defined(__SSE2__)
    const __m128i bound = _mm_set1_epi32(most);
    const auto above = [&](std::size_t quarter) {
        const auto* four = reinterpret_cast<const __m128i*>(values + 4 * quarter);
        return _mm_cmpgt_epi32(_mm_loadu_si128(four), bound);
    };
    const __m128i low = _mm_packs_epi32(above(0), above(1));
    const __m128i high = _mm_packs_epi32(above(2), above(3));
    return ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFU;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < kGroup; ++i)
        mask |= static_cast<unsigned>(values[i] <= most) << i;
    return mask;
#endif
}

// Sets bit i of the result if the i-th of sixteen jobs has `its_processors` processors and the
// length `its_length`.
inline unsigned matching(const ProcCount* processors, const std::int32_t* lengths,
                         ProcCount its_processors, std::int32_t its_length) {
#if defined(__SSE2__)
    const __m128i p = _mm_set1_epi32(its_processors);
    const __m128i length = _mm_set1_epi32(its_length);
    const auto same = [&](std::size_t quarter) {
        const auto* a = reinterpret_cast<const __m128i*>(processors + 4 * quarter);
        const auto* b = reinterpret_cast<const __m128i*>(lengths + 4 * quarter);
        return _mm_and_si128(_mm_cmpeq_epi32(_mm_loadu_si128(a), p),
                             _mm_cmpeq_epi32(_mm_loadu_si128(b), length));
    };
    const __m128i low = _mm_packs_epi32(same(0), same(1));
    const __m128i high = _mm_packs_epi32(same(2), same(3));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < kGroup; ++i) {
        const bool same = processors[i] == its_processors && lengths[i] == its_length;
        mask |= static_cast<unsigned>(same) << i;
    }
    return mask;
#endif
}

} // namespace backfill

} // namespace slotwise
