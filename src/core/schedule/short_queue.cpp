#include "schedule/short_queue.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace slotwise {

void ShortQueue::insert(JobId job, JobId rank, ProcCount processors, Duration length) {
    if (end_ == kSlots || end_ - begin_ > 2 * size_ + kGroup) compact();
    std::size_t slot = end_++;
    for (; slot > begin_ && ranks_[slot - 1] > rank; --slot) {
        processors_[slot] = processors_[slot - 1];
        lengths_[slot] = lengths_[slot - 1];
        jobs_[slot] = jobs_[slot - 1];
        ranks_[slot] = ranks_[slot - 1];
    }
    processors_[slot] = processors;
    lengths_[slot] = biased(length);
    jobs_[slot] = job;
    ranks_[slot] = rank;
    ++size_;
}

void ShortQueue::erase(std::size_t slot) {
    processors_[slot] = kGone;
    if (--size_ == 0) {
        clear();
        return;
    }
    while (processors_[begin_] == kGone)
        ++begin_;
}

std::size_t ShortQueue::find(JobId job) const {
    std::size_t slot = begin_;
    while (jobs_[slot] != job || processors_[slot] == kGone)
        ++slot;
    return slot;
}

std::size_t ShortQueue::next(std::size_t from, ProcCount available, Duration longest,
                             ProcCount spare) const {
    unsigned wanted = 0xFFFFU << (from % kGroup);
    for (std::size_t group = from / kGroup * kGroup; group < end_; group += kGroup) {
        const unsigned found = startable(group, available, longest, spare) & wanted;
        if (found != 0)
            return std::min(end_, group + static_cast<std::size_t>(std::countr_zero(found)));
        wanted = 0xFFFFU;
    }
    return end_;
}

// Bit i tells of slot group + i. Slots from end_ on hold anything.
unsigned ShortQueue::startable(std::size_t group, ProcCount available, Duration longest,
                               ProcCount spare) const {
#if defined(__SSE2__)
    const __m128i most = _mm_set1_epi32(available);
    const __m128i most_spare = _mm_set1_epi32(spare);
    const __m128i limit = _mm_set1_epi32(biased(longest));
    const auto barred = [&](std::size_t quarter) {
        const std::size_t at = group + 4 * quarter;
        const __m128i p = _mm_load_si128(reinterpret_cast<const __m128i*>(&processors_[at]));
        const __m128i length = _mm_load_si128(reinterpret_cast<const __m128i*>(&lengths_[at]));
        const __m128i delays =
            _mm_and_si128(_mm_cmpgt_epi32(length, limit), _mm_cmpgt_epi32(p, most_spare));
        return _mm_or_si128(_mm_cmpgt_epi32(p, most), delays);
    };
    const __m128i low = _mm_packs_epi32(barred(0), barred(1));
    const __m128i high = _mm_packs_epi32(barred(2), barred(3));
    return ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFU;
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < kGroup; ++i) {
        const ProcCount p = processors_[group + i];
        const bool passes = lengths_[group + i] <= biased(longest) || p <= spare;
        mask |= static_cast<unsigned>(p <= available && passes) << i;
    }
    return mask;
#endif
}

// Closes the gaps of those that have left.
void ShortQueue::compact() {
    std::size_t to = 0;
    for (std::size_t slot = begin_; slot < end_; ++slot) {
        if (processors_[slot] == kGone) continue;
        processors_[to] = processors_[slot];
        lengths_[to] = lengths_[slot];
        jobs_[to] = jobs_[slot];
        ranks_[to++] = ranks_[slot];
    }
    begin_ = 0;
    end_ = to;
}

} // namespace slotwise
