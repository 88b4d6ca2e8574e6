#include "queue/short_queue.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

void ShortQueue::insert(JobId job, JobId rank, ProcCount processors, Duration length) {
    if (end_ == kSlots || end_ - begin_ > 2 * size_ + backfill::kGroup) compact();
    std::size_t slot = end_++;
    for (; slot > begin_ && ranks_[slot - 1] > rank; --slot) {
        processors_[slot] = processors_[slot - 1];
        lengths_[slot] = lengths_[slot - 1];
        jobs_[slot] = jobs_[slot - 1];
        ranks_[slot] = ranks_[slot - 1];
    }
    processors_[slot] = processors;
    lengths_[slot] = backfill::biased(length);
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

std::size_t ShortQueue::next(std::size_t from, const BackfillBounds& bounds) const {
    using backfill::kGroup;
    unsigned wanted = 0xFFFFU << (from % kGroup);
    for (std::size_t group = from / kGroup * kGroup; group < end_; group += kGroup) {
        const unsigned found =
            backfill::fitting(&processors_[group], &lengths_[group], bounds) & wanted;
        if (found != 0)
            return std::min(end_, group + static_cast<std::size_t>(std::countr_zero(found)));
        wanted = 0xFFFFU;
    }
    return end_;
}

// Closes the gaps left by removed jobs.
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
