// Minima of sixteen values at a time. SSE2 has none of integers of this width but one of floats,
// and floats that are positive and normal are ordered as their bits are: hence the range.
#pragma once

#include "schedule/room.hpp"
#include "types.hpp"

#include <algorithm>
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
    Sixteen() { std::fill_n(quarters_, 4, _mm_castsi128_ps(_mm_set1_epi32(kNone))); }

    // Keeps, place by place, the smaller of its own and `values`.
    void take_smaller(const Value* values) {
        for (std::size_t i = 0; i < 4; ++i)
            quarters_[i] = _mm_min_ps(quarters_[i], floats(values + 4 * i));
    }

    // The same where there is room for the job of a place; lengths biased as in room.hpp.
    void take_smaller(const Value* values, const ProcCount* processors, const std::int32_t* lengths,
                      const Room& room) {
        const room::Barred barred(room);
        for (std::size_t i = 0; i < 4; ++i) {
            const __m128 bars = _mm_castsi128_ps(barred(processors + 4 * i, lengths + 4 * i));
            // No number where barred, and the minimum is then its second operand.
            quarters_[i] = _mm_min_ps(_mm_or_ps(bars, floats(values + 4 * i)), quarters_[i]);
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
            const __m128 value = quarters_[i];
            least = _mm_min_ps(least,
                               _mm_or_ps(_mm_and_ps(counts, value), _mm_andnot_ps(counts, none)));
        }
        least = _mm_min_ps(least, _mm_movehl_ps(least, least));
        least = _mm_min_ps(least, _mm_shuffle_ps(least, least, 1));
        return _mm_cvtsi128_si32(_mm_castps_si128(least));
    }

  private:
    static __m128 floats(const Value* from) {
        return _mm_loadu_ps(reinterpret_cast<const float*>(from));
    }

    __m128 quarters_[4]; // std::array would drop an attribute, and warn
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
