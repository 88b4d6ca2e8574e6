#include "schedule/size_index.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

namespace {

// Bit i is set where node[i] <= bound; node holds 16 values.
unsigned at_most(const Duration* node, Duration bound) {
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
    for (unsigned i = 0; i < 16; ++i) mask |= static_cast<unsigned>(node[i] <= bound) << i;
    return mask;
#endif
}

}  // namespace

SizeIndex::SizeIndex(std::span<const ProcCount> processors, std::span<const JobId> rank) {
    const std::size_t n = processors.size();
    collect_sizes(processors);
    std::vector<JobId> by_rank;
    if (!rank.empty()) {
        by_rank.resize(n);
        for (std::size_t job = 0; job < n; ++job) by_rank[rank[job]] = static_cast<JobId>(job);
    }
    end_of_size_.assign(sizes_.size() + 1, 0);
    place_of_.resize(n);
    job_at_.resize(n);
    for (std::size_t job = 0; job < n; ++job) ++end_of_size_[size_of(processors[job]) + 1];
    for (std::size_t i = 1; i < end_of_size_.size(); ++i) end_of_size_[i] += end_of_size_[i - 1];
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t job = by_rank.empty() ? i : by_rank[i];
        const Place place = end_of_size_[size_of(processors[job])]++;
        place_of_[job] = place;
        job_at_[place] = static_cast<JobId>(job);
    }
    end_of_size_.pop_back();
    for (std::size_t width = n;;) {
        width = (width + kFanout - 1) / kFanout * kFanout;
        levels_.emplace_back(width, kEmpty);
        width /= kFanout;
        if (width <= 1) break;
    }
}

void SizeIndex::insert(JobId job, Duration length) {
    std::size_t at = place_of_[job];
    for (auto& level : levels_) {
        if (level[at] <= length && &level != &levels_.front()) return;
        level[at] = length;
        at /= kFanout;
    }
}

void SizeIndex::erase(JobId job) {
    std::size_t at = place_of_[job];
    Duration gone = levels_[0][at];
    Duration minimum = kEmpty;
    for (auto& level : levels_) {
        if (&level != &levels_.front() && level[at] != gone) return;
        level[at] = minimum;
        const Duration* node = level.data() + at / kFanout * kFanout;
        for (std::size_t i = 0; i < kFanout; ++i) minimum = std::min(minimum, node[i]);
        if (minimum == gone) return;
        at /= kFanout;
        // Here every level above either held `gone`, or something smaller that stays.
    }
}

SizeIndex::Place SizeIndex::first(Place from, Place to, Duration longest) const {
    if (from >= to) return to;
    std::size_t at = from;
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
        const std::size_t node = at / kFanout * kFanout;
        if (node >= levels_[depth].size()) return to;
        const unsigned found =
            at_most(levels_[depth].data() + node, longest) & (0xFFFFU << (at % kFanout));
        if (found != 0) {
            at = node + static_cast<std::size_t>(std::countr_zero(found));
            while (depth-- > 0) {
                at *= kFanout;
                at += static_cast<std::size_t>(
                    std::countr_zero(at_most(levels_[depth].data() + at, longest)));
            }
            return at < to ? static_cast<Place>(at) : to;
        }
        at = at / kFanout + 1;
        if (at << (4 * (depth + 1)) >= to) return to;
    }
    return to;
}

SizeIndex::Place SizeIndex::end_of_sizes(ProcCount processors) const {
    if (processors < sizes_.front()) return 0;
    if (processors >= sizes_.back()) return end_of_size_.back();
    if (!size_at_or_below_.empty())
        return end_of_size_[size_at_or_below_[static_cast<std::size_t>(processors)]];
    const auto above = std::upper_bound(sizes_.begin(), sizes_.end(), processors);
    return end_of_size_[static_cast<std::size_t>(above - sizes_.begin() - 1)];
}

void SizeIndex::collect_sizes(std::span<const ProcCount> processors) {
    const ProcCount widest = *std::max_element(processors.begin(), processors.end());
    if (widest > kWidestTable) {
        sizes_.assign(processors.begin(), processors.end());
        std::sort(sizes_.begin(), sizes_.end());
        sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
        return;
    }
    std::vector<std::uint8_t> occurs(static_cast<std::size_t>(widest) + 1, 0);
    for (const ProcCount p : processors) occurs[static_cast<std::size_t>(p)] = 1;
    size_at_or_below_.resize(occurs.size(), 0);
    for (std::size_t p = 0; p < occurs.size(); ++p) {
        if (occurs[p] != 0) sizes_.push_back(static_cast<ProcCount>(p));
        size_at_or_below_[p] = static_cast<std::uint32_t>(std::max<std::size_t>(sizes_.size(), 1) - 1);
    }
}

std::size_t SizeIndex::size_of(ProcCount processors) const {
    if (!size_at_or_below_.empty())
        return size_at_or_below_[static_cast<std::size_t>(processors)];
    const auto at = std::lower_bound(sizes_.begin(), sizes_.end(), processors);
    return static_cast<std::size_t>(at - sizes_.begin());
}

}  // namespace slotwise
