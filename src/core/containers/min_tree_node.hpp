// Nodes of the trees of minima; each node holds sixteen lengths.
#pragma once

#include "types.hpp"

#include <bit>
#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise::min_tree_node {

inline constexpr std::size_t kFanout = 16;
inline constexpr unsigned kShift = 4;
inline constexpr Duration kEmpty = kMaxDuration + 1; // greater than every length

// Sets bit i of the result if node[i] <= bound. `node` points to sixteen values, and `bound` must
// be below kEmpty.
inline unsigned at_most(const Duration* node, Duration bound) {
#if defined(__SSE2__)
    const __m128i bias = _mm_set1_epi32(static_cast<int>(0x80000000U));
    const __m128i limit = _mm_xor_si128(_mm_set1_epi32(static_cast<int>(bound)), bias);
    const auto above = [&](int quarter) {
        const auto* from = reinterpret_cast<const __m128i*>(node) + quarter;
        return _mm_cmpgt_epi32(_mm_xor_si128(_mm_loadu_si128(from), bias), limit);
    };
    const __m128i low = _mm_packs_epi32(above(0), above(1));
    const __m128i high = _mm_packs_epi32(above(2), above(3));
    return ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFU;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < kFanout; ++i)
        mask |= static_cast<unsigned>(node[i] <= bound) << i;
    return mask;
#endif
}

inline Duration minimum(const Duration* node) {
    Duration least[4] = {node[0], node[1], node[2], node[3]};
    for (std::size_t i = 4; i < kFanout; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
            least[lane] = node[i + lane] < least[lane] ? node[i + lane] : least[lane];
    const Duration low = least[0] < least[1] ? least[0] : least[1];
    const Duration high = least[2] < least[3] ? least[2] : least[3];
    return low < high ? low : high;
}

// Returns the first i in [from, to) for which values[i] <= bound, or `to` if there is none. May
// read up to fifteen values past `to`.
inline std::size_t first(const Duration* values, std::size_t from, std::size_t to, Duration bound) {
    for (; from < to; from += kFanout) {
        const unsigned found = at_most(values + from, bound);
        if (found == 0) continue;
        const std::size_t at = from + static_cast<std::size_t>(std::countr_zero(found));
        return at < to ? at : to;
    }
    return to;
}

} // namespace slotwise::min_tree_node
