#include "queue/pool_queue.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kGap = std::numeric_limits<ProcCount>::max();

template <class Column, class Value>
void insert_at(Column& column, std::size_t place, Value value) {
    column.insert(column.begin() + static_cast<std::ptrdiff_t>(place), value);
}

} // namespace

void PoolQueue::insert(const Entry& entry) {
    const Position place =
        keys_.empty() || keys_.back() < entry.key
            ? keys_.size()
            : static_cast<Position>(std::lower_bound(keys_.begin(), keys_.end(), entry.key) -
                                    keys_.begin());
    ++n_waiting_;
    const bool is_gap = place < keys_.size() && !(entry.key < keys_[place]);
    if (!is_gap) {
        insert_at(keys_, place, entry.key);
        insert_at(jobs_, place, entry.job);
        insert_at(processors_, place, kGap);
        insert_at(lengths_, place, 0);
        processors_.resize(padded(keys_.size()), kGap);
        lengths_.resize(padded(keys_.size()), 0);
    }
    processors_[place] = entry.processors;
    lengths_[place] = backfill::biased(entry.length);
}

void PoolQueue::erase(const Key& key) {
    const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
    processors_[static_cast<Position>(found - keys_.begin())] = kGap;
    --n_waiting_;
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
