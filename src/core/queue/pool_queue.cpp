#include "queue/pool_queue.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kGap = std::numeric_limits<ProcCount>::max();

} // namespace

void PoolQueue::insert(const Entry& entry) {
    const Position place = place_of(entry.key);
    const bool is_known = place < keys_.size() && !(entry.key < keys_[place]);
    if (is_known && processors_[place] != kGap) return;
    ++n_waiting_;
    if (!is_known) {
        open_at(place);
        keys_[place] = entry.key;
        jobs_[place] = entry.job;
    }
    processors_[place] = entry.processors;
    lengths_[place] = backfill::biased(entry.length);
    first_ = std::min(first_, place);
}

// Moves the job at `place`, and all jobs behind it, one position towards the end.
void PoolQueue::open_at(Position place) {
    const Position end = keys_.size();
    if (end == processors_.size()) {
        processors_.resize(end + backfill::kGroup, kGap);
        lengths_.resize(end + backfill::kGroup, 0);
    }
    keys_.emplace_back();
    jobs_.emplace_back();
    if (place == end) return;
    const auto move_back = [&](auto& column) {
        std::move_backward(column.begin() + static_cast<std::ptrdiff_t>(place),
                           column.begin() + static_cast<std::ptrdiff_t>(end),
                           column.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    };
    move_back(keys_);
    move_back(jobs_);
    move_back(processors_);
    move_back(lengths_);
}

// Returns the position of the key or, if the queue does not contain it, the position at which to
// insert it.
PoolQueue::Position PoolQueue::place_of(const Key& key) const {
    if (keys_.empty() || keys_.back() < key) return keys_.size();
    const bool comes_later = first_ < keys_.size() && keys_[first_] < key;
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(comes_later ? first_ : 0);
    const auto comes_first = [&](const Key& a, const Key& b) { return a.rank < b.rank; };
    const auto found = key.same_group(*begin) && key.same_group(keys_.back())
                           ? std::lower_bound(begin, keys_.end(), key, comes_first)
                           : std::lower_bound(begin, keys_.end(), key);
    return static_cast<Position>(found - keys_.begin());
}

void PoolQueue::erase(const Key& key) {
    if (n_waiting_ == 0) return;
    const Key& first = keys_[first_];
    const bool is_first = key.rank == first.rank && key.same_group(first);
    const Position place = is_first ? first_ : place_of(key);
    if (place == keys_.size() || key < keys_[place] || processors_[place] == kGap) return;
    processors_[place] = kGap;
    --n_waiting_;
    while (first_ < keys_.size() && processors_[first_] == kGap)
        ++first_;
}

void PoolQueue::close_gaps() {
    Position to = 0;
    for (Position from = 0; from < keys_.size(); ++from) {
        if (processors_[from] == kGap) continue;
        keys_[to] = keys_[from];
        jobs_[to] = jobs_[from];
        processors_[to] = processors_[from];
        lengths_[to++] = lengths_[from];
    }
    first_ = 0;
    keys_.resize(to);
    jobs_.resize(to);
    processors_.resize(to);
    processors_.resize(padded(to), kGap);
    lengths_.resize(padded(to), 0);
}

PoolQueue::Position PoolQueue::end_of_group(Position place) const {
    const auto of_group = [&](const Key& key) { return key.same_group(keys_[place]); };
    return static_cast<Position>(
        std::partition_point(keys_.begin() + static_cast<std::ptrdiff_t>(place), keys_.end(),
                             of_group) -
        keys_.begin());
}

} // namespace slotwise
