#include "schedule/releases.hpp"

#include <algorithm>
#include <cassert>

namespace slotwise {

namespace {

template <class Value> void insert_at(std::vector<Value>& values, std::size_t at, Value value) {
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), value);
}

template <class Value> void erase_at(std::vector<Value>& values, std::size_t at) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
}

// The first of `count` ascending times not before `time`; without branches to mispredict.
std::size_t lower_bound(const Time* times, std::size_t count, Time time) {
    const Time* base = times;
    while (count > 1) {
        const std::size_t half = count / 2;
        base += base[half - 1] < time ? half : 0;
        count -= half;
    }
    return static_cast<std::size_t>(base - times) + (count == 1 && *base < time ? 1 : 0);
}

} // namespace

void Releases::remove(JobId job, Time end, ProcCount processors) {
    const std::uint32_t at = fresh_at_[job];
    if (at == kSorted) {
        erase(end, processors);
        return;
    }
    fresh_at_[job] = kSorted;
    const Fresh last = fresh_.back();
    fresh_.pop_back();
    if (last.job == job) return;
    fresh_[at] = last;
    fresh_at_[last.job] = at;
}

Releases::Point Releases::reaching(std::int64_t processors) {
    sort_in_fresh();
    std::int64_t released = 0;
    for (std::size_t at = 0; at < block_.size(); ++at) {
        if (released + sum_[at] < processors) {
            released += sum_[at];
            continue;
        }
        const Block& block = blocks_[block_[at]];
        for (std::size_t i = 0;; ++i) {
            released += block.processors[i];
            if (released >= processors) return {block.times[i], released};
        }
    }
    return {kNever, released};
}

std::int64_t Releases::released_by(Time time) {
    sort_in_fresh();
    std::int64_t released = 0;
    for (std::size_t at = 0; at < block_.size(); ++at) {
        if (last_[at] <= time) {
            released += sum_[at];
            continue;
        }
        const Block& block = blocks_[block_[at]];
        for (std::size_t i = 0; block.times[i] <= time; ++i)
            released += block.processors[i];
        break;
    }
    return released;
}

void Releases::sort_in_fresh() {
    for (const Fresh& fresh : fresh_) {
        fresh_at_[fresh.job] = kSorted;
        insert(fresh.end, fresh.processors);
    }
    fresh_.clear();
}

// The first block whose last time is at or after `end`, else the last block.
std::size_t Releases::block_of(Time end) const {
    return std::min(lower_bound(last_.data(), last_.size(), end), last_.size() - 1);
}

void Releases::insert(Time end, ProcCount processors) {
    if (block_.empty()) open_block(0);
    std::size_t at = block_of(end);
    if (count_[at] == kCapacity) {
        split(at);
        if (end > last_[at]) ++at;
    }
    Block& block = blocks_[block_[at]];
    const std::size_t count = count_[at];
    const std::size_t i = lower_bound(block.times, count, end);
    sum_[at] += processors;
    if (i < count && block.times[i] == end) {
        block.processors[i] += processors;
        return;
    }
    std::copy_backward(block.times + i, block.times + count, block.times + count + 1);
    std::copy_backward(block.processors + i, block.processors + count,
                       block.processors + count + 1);
    block.times[i] = end;
    block.processors[i] = processors;
    ++count_[at];
    last_[at] = block.times[count];
}

void Releases::erase(Time end, ProcCount processors) {
    const std::size_t at = block_of(end);
    Block& block = blocks_[block_[at]];
    const std::size_t count = count_[at];
    const std::size_t i = lower_bound(block.times, count, end);
    assert(i < count && block.times[i] == end && block.processors[i] >= processors);
    sum_[at] -= processors;
    block.processors[i] -= processors;
    if (block.processors[i] > 0) return;
    std::copy(block.times + i + 1, block.times + count, block.times + i);
    std::copy(block.processors + i + 1, block.processors + count, block.processors + i);
    --count_[at];
    if (count > 1) {
        last_[at] = block.times[count - 2];
        return;
    }
    spare_.push_back(block_[at]);
    erase_at(block_, at);
    erase_at(count_, at);
    erase_at(last_, at);
    erase_at(sum_, at);
}

// Puts an empty block before the one at `at`.
void Releases::open_block(std::size_t at) {
    if (spare_.empty()) {
        spare_.push_back(static_cast<std::uint32_t>(blocks_.size()));
        blocks_.emplace_back();
    }
    insert_at(block_, at, spare_.back());
    spare_.pop_back();
    insert_at(count_, at, std::uint32_t{0});
    insert_at(last_, at, Time{0});
    insert_at(sum_, at, std::int64_t{0});
}

// Halves the full block at `at`; the later half follows it.
void Releases::split(std::size_t at) {
    open_block(at + 1);
    Block& low = blocks_[block_[at]];
    Block& high = blocks_[block_[at + 1]];
    constexpr std::size_t half = kCapacity / 2;
    std::copy(low.times + half, low.times + kCapacity, high.times);
    std::copy(low.processors + half, low.processors + kCapacity, high.processors);
    count_[at] = half;
    count_[at + 1] = kCapacity - half;
    last_[at + 1] = last_[at];
    last_[at] = low.times[half - 1];
    for (std::size_t i = 0; i < kCapacity - half; ++i)
        sum_[at + 1] += high.processors[i];
    sum_[at] -= sum_[at + 1];
}

} // namespace slotwise
