// Computes minima of sixteen values at a time. SSE2 has no minimum instruction for 32-bit integers,
// but has one for floats. Positive normal floats compare in the same way as their bit patterns, so
// each value must be the bit pattern of such a float.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

class SixteenMinima {
  public:
    using Value = std::int32_t; // between kLowest and kNone
    static constexpr Value kLowest = 0x00800000;
    static constexpr Value kNone = 0x7F7FFFFF;
    static constexpr std::size_t kMostRanks = kNone - kLowest;

    static Value of(JobId rank) { return static_cast<Value>(rank) + kLowest; }
    static JobId rank_of(Value value) {
        return value == kNone ? kNoJob : static_cast<JobId>(value - kLowest);
    }

#if defined(__SSE2__)
    SixteenMinima() { std::fill_n(quarters_, 4, _mm_castsi128_ps(_mm_set1_epi32(kNone))); }

    // Replaces the value of each lane with the one in `values` if the latter is smaller.
    void take_smaller(const Value* values) {
        for (std::size_t i = 0; i < 4; ++i)
            quarters_[i] = _mm_min_ps(quarters_[i], floats(values + 4 * i));
    }

    // In each lane whose job is within `bounds`, replaces the value with the one in `values` if the
    // latter is smaller. Lengths are biased as in backfill_bounds.hpp.
    void take_smaller(const Value* values, const ProcCount* processors, const std::int32_t* lengths,
                      const BackfillBounds& bounds) {
        const backfill::Barred barred(bounds);
        for (std::size_t i = 0; i < 4; ++i) {
            const __m128 bars = _mm_castsi128_ps(barred(processors + 4 * i, lengths + 4 * i));
            // An excluded lane becomes NaN, for which _mm_min_ps() returns its second operand.
            quarters_[i] = _mm_min_ps(_mm_or_ps(bars, floats(values + 4 * i)), quarters_[i]);
        }
    }

    // Excludes the lanes from index `n` onwards.
    void keep_first(std::size_t n) {
        for (std::size_t i = 0; i < 4; ++i) {
            const __m128 bars = floats(&kBars[16 - n + 4 * i]);
            quarters_[i] = _mm_min_ps(_mm_or_ps(bars, quarters_[i]), none());
        }
    }

    void take_smaller(const SixteenMinima& other) {
        for (std::size_t i = 0; i < 4; ++i)
            quarters_[i] = _mm_min_ps(quarters_[i], other.quarters_[i]);
    }

    // Returns the smallest of all values, or kNone if there is none.
    Value smallest() const {
        __m128 least = _mm_min_ps(_mm_min_ps(quarters_[0], quarters_[1]),
                                  _mm_min_ps(quarters_[2], quarters_[3]));
        least = _mm_min_ps(least, _mm_movehl_ps(least, least));
        least = _mm_min_ps(least, _mm_shuffle_ps(least, least, 1));
        return _mm_cvtsi128_si32(_mm_castps_si128(least));
    }

  private:
    static __m128 floats(const Value* from) {
        return _mm_loadu_ps(reinterpret_cast<const float*>(from));
    }

    static __m128 none() { return _mm_castsi128_ps(_mm_set1_epi32(kNone)); }

    // Masks of lanes. The sixteen values from index 16 - n onwards keep the first n lanes and
    // exclude the others.
    static constexpr std::array<Value, 32> kBars = [] {
        std::array<Value, 32> bars{};
        for (std::size_t i = 16; i < 32; ++i)
            bars[i] = -1;
        return bars;
    }();

    __m128 quarters_[4]; // std::array would cause a warning about a dropped attribute
#else
    SixteenMinima() { values_.fill(kNone); }

    void take_smaller(const Value* values) {
        for (std::size_t i = 0; i < 16; ++i)
            values_[i] = values[i] < values_[i] ? values[i] : values_[i];
    }

    void take_smaller(const Value* values, const ProcCount* processors, const std::int32_t* lengths,
                      const BackfillBounds& bounds) {
        const unsigned fits = backfill::fitting(processors, lengths, bounds);
        for (std::size_t i = 0; i < 16; ++i)
            if ((fits >> i & 1U) != 0 && values[i] < values_[i]) values_[i] = values[i];
    }

    void keep_first(std::size_t n) {
        std::fill(values_.begin() + static_cast<std::ptrdiff_t>(n), values_.end(), kNone);
    }

    void take_smaller(const SixteenMinima& other) { take_smaller(other.values_.data()); }

    Value smallest() const { return *std::min_element(values_.begin(), values_.end()); }

  private:
    std::array<Value, 16> values_;
#endif
};

} // namespace slotwise
