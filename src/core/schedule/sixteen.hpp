// Minima of sixteen values at a time. SSE2 has none of integers of this width but one of floats,
// and floats that are positive and normal are ordered as their bits are: hence the range.
#pragma once

#include "schedule/room.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

class Sixteen {
  public:
    using Value = std::int32_t; // kLowest … kNone
    static constexpr Value kLowest = 0x00800000;
    static constexpr Value kNone = 0x7F7FFFFF;
    static constexpr std::size_t kMostRanks = kNone - kLowest;

    static Value of(JobId rank) { return static_cast<Value>(rank) + kLowest; }
    static JobId rank_of(Value value) {
        return value == kNone ? kNoJob : static_cast<JobId>(value - kLowest);
    }

#if defined(__SSE2__)
    Sixteen() { quarters_.fill(_mm_castsi128_ps(_mm_set1_epi32(kNone))); }

    // Keeps, place by place, the smaller of its own and `values`.
    void take_smaller(const Value* values) {
        for (std::size_t i = 0; i < 4; ++i)
            quarters_[i] = _mm_min_ps(quarters_[i],
                                      _mm_loadu_ps(reinterpret_cast<const float*>(values + 4 * i)));
    }

    // The same where there is room for the job of a place; lengths biased as in room.hpp.
    void take_smaller(const Value* values, const ProcCount* processors, const std::int32_t* lengths,
                      const Room& room) {
        const __m128i most = _mm_set1_epi32(room.available);
        const __m128i most_spare = _mm_set1_epi32(room.spare);
        const __m128i limit = _mm_set1_epi32(room::biased(room.longest));
        for (std::size_t i = 0; i < 4; ++i) {
            const __m128i p = integers(processors + 4 * i);
            const __m128i delays = _mm_and_si128(_mm_cmpgt_epi32(integers(lengths + 4 * i), limit),
                                                 _mm_cmpgt_epi32(p, most_spare));
            const __m128i barred = _mm_or_si128(_mm_cmpgt_epi32(p, most), delays);
            // No number where barred, and the minimum is then its second operand.
            const __m128i counts = _mm_or_si128(barred, integers(values + 4 * i));
            quarters_[i] = _mm_min_ps(_mm_castsi128_ps(counts), quarters_[i]);
        }
    }

    // The smallest of the first `n`, or kNone.
    Value smallest(int n = 16) const {
        const __m128i limit = _mm_set1_epi32(n);
        const __m128 none = _mm_castsi128_ps(_mm_set1_epi32(kNone));
        __m128 least = none;
        for (int i = 0; i < 4; ++i) {
            const __m128i places = _mm_setr_epi32(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
            const __m128 counts = _mm_castsi128_ps(_mm_cmpgt_epi32(limit, places));
            const __m128 value = quarters_[static_cast<std::size_t>(i)];
            least = _mm_min_ps(least,
                               _mm_or_ps(_mm_and_ps(counts, value), _mm_andnot_ps(counts, none)));
        }
        least = _mm_min_ps(least, _mm_movehl_ps(least, least));
        least = _mm_min_ps(least, _mm_shuffle_ps(least, least, 1));
        return _mm_cvtsi128_si32(_mm_castps_si128(least));
    }

  private:
    static __m128i integers(const std::int32_t* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    }

    std::array<__m128, 4> quarters_;
#else
    Sixteen() { values_.fill(kNone); }

    void take_smaller(const Value* values) {
        for (std::size_t i = 0; i < 16; ++i)
            values_[i] = values[i] < values_[i] ? values[i] : values_[i];
    }

    void take_smaller(const Value* values, const ProcCount* processors, const std::int32_t* lengths,
                      const Room& room) {
        const unsigned fits = room::fitting(processors, lengths, room);
        for (std::size_t i = 0; i < 16; ++i)
            if ((fits >> i & 1U) != 0 && values[i] < values_[i]) values_[i] = values[i];
    }

    Value smallest(int n = 16) const {
        Value least = kNone;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            least = values_[i] < least ? values_[i] : least;
        return least;
    }

  private:
    std::array<Value, 16> values_;
#endif
};

} // namespace slotwise
