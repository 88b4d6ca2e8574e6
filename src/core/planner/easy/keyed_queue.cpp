#include "planner/easy/keyed_queue.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kTooMany = std::numeric_limits<ProcCount>::max();
// Once this many positions at the front of the columns are unused, they are removed.
constexpr std::size_t kMostGone = 4096;

template <class Column> auto at(Column& column, std::size_t position) {
    return column.begin() + static_cast<std::ptrdiff_t>(position);
}

template <class Column> void erase_from(Column& column, std::size_t first, std::size_t last) {
    column.erase(at(column, first), at(column, last));
}

} // namespace

KeyedQueue::KeyedQueue() : processors_(backfill::kGroup, kTooMany), lengths_(backfill::kGroup, 0) {}

void KeyedQueue::insert(const Key& key, JobId job, ProcCount processors, Duration length) {
    const auto found = std::upper_bound(at(keys_, begin_), keys_.end(), key);
    std::size_t position = static_cast<std::size_t>(found - keys_.begin());
    if (position == begin_ && begin_ > 0) {
        position = --begin_; // reuses the position of a job that has left
        keys_[position] = key;
        jobs_[position] = job;
        processors_[position] = processors;
        lengths_[position] = backfill::biased(length);
        return;
    }
    keys_.insert(at(keys_, position), key);
    jobs_.insert(at(jobs_, position), job);
    processors_.insert(at(processors_, position), processors);
    lengths_.insert(at(lengths_, position), backfill::biased(length));
}

void KeyedQueue::erase(const Key& key) {
    const auto found = std::lower_bound(at(keys_, begin_), keys_.end(), key);
    erase_at(static_cast<std::size_t>(found - keys_.begin()));
}

std::size_t KeyedQueue::erase_at(std::size_t position) {
    std::size_t end = position + 1;
    if (position == begin_) {
        if (++begin_ < kMostGone && begin_ < jobs_.size()) return begin_;
        position = 0;
        end = begin_;
        begin_ = 0;
    }
    erase_from(keys_, position, end);
    erase_from(jobs_, position, end);
    erase_from(processors_, position, end);
    erase_from(lengths_, position, end);
    return position;
}

std::size_t KeyedQueue::next(std::size_t from, const BackfillBounds& bounds) const {
    for (std::size_t group = from; group < end(); group += backfill::kGroup) {
        const unsigned found = backfill::fitting(&processors_[group], &lengths_[group], bounds);
        if (found != 0) return group + static_cast<std::size_t>(std::countr_zero(found));
    }
    return end();
}

} // namespace slotwise
