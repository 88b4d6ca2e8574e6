#include "machine/torus/slots_by_size.hpp"

#include <algorithm>

namespace slotwise {

namespace {

constexpr std::uint64_t kLowest = 0xFFFFFFFFU; // lower 32 bits of the key of a slot at position 0

} // namespace

SlotsBySize::Key SlotsBySize::key_of(NodeInterval slot) {
    return static_cast<Key>(slot.size()) << 32 | (kLowest - static_cast<Key>(slot.begin));
}

NodeInterval SlotsBySize::slot_of(Key key) {
    const auto begin = static_cast<std::int32_t>(kLowest - (key & kLowest));
    return {begin, begin + static_cast<NodeCount>(key >> 32)};
}

// Returns the first block whose last key is at least `key`, or the number of blocks if there is
// none.
std::size_t SlotsBySize::block_of(Key key) const {
    return static_cast<std::size_t>(std::lower_bound(last_.begin(), last_.end(), key) -
                                    last_.begin());
}

void SlotsBySize::insert(NodeInterval slot) {
    const Key key = key_of(slot);
    std::size_t at = block_of(key);
    if (at == block_.size()) {
        if (at == 0)
            open_block(0);
        else
            --at;
    }
    if (count_[at] == kCapacity) {
        split(at);
        if (key > last_[at]) ++at;
    }
    Key* const keys = blocks_[block_[at]].keys;
    Key* const end = keys + count_[at];
    Key* const place = std::lower_bound(keys, end, key);
    std::copy_backward(place, end, end + 1);
    *place = key;
    last_[at] = keys[count_[at]++];
}

void SlotsBySize::erase(NodeInterval slot) {
    const Key key = key_of(slot);
    const std::size_t at = block_of(key);
    Key* const keys = blocks_[block_[at]].keys;
    Key* const end = keys + count_[at];
    Key* const place = std::lower_bound(keys, end, key);
    std::copy(place + 1, end, place);
    if (--count_[at] > 0) {
        last_[at] = keys[count_[at] - 1];
        return;
    }
    const auto gone = static_cast<std::ptrdiff_t>(at);
    spare_.push_back(block_[at]);
    block_.erase(block_.begin() + gone);
    count_.erase(count_.begin() + gone);
    last_.erase(last_.begin() + gone);
}

NodeInterval SlotsBySize::best_fit(NodeCount size) const {
    const std::size_t at = block_of(static_cast<Key>(size) << 32);
    if (at == block_.size()) return {};
    const Key* const keys = blocks_[block_[at]].keys;
    const Key found = *std::lower_bound(keys, keys + count_[at], static_cast<Key>(size) << 32);
    // Among the slots of the size found, the lowest slot has the last key, which may be several
    // blocks further on.
    const Key beyond = ((found >> 32) + 1) << 32;
    std::size_t last = block_of(beyond);
    if (last < block_.size()) {
        const Key* const from = blocks_[block_[last]].keys;
        const Key* const next = std::lower_bound(from, from + count_[last], beyond);
        if (next != from) return slot_of(*(next - 1));
    }
    return slot_of(last_[last - 1]);
}

void SlotsBySize::append_largest(std::size_t k, std::vector<NodeInterval>& out) const {
    for (std::size_t at = block_.size(); k > 0 && at-- > 0;) {
        const Key* const keys = blocks_[block_[at]].keys;
        for (std::size_t i = count_[at]; k > 0 && i-- > 0; --k)
            out.push_back(slot_of(keys[i]));
    }
}

// Inserts an empty block at index `at`.
void SlotsBySize::open_block(std::size_t at) {
    if (spare_.empty()) {
        spare_.push_back(static_cast<std::uint32_t>(blocks_.size()));
        blocks_.emplace_back();
    }
    const auto place = static_cast<std::ptrdiff_t>(at);
    block_.insert(block_.begin() + place, spare_.back());
    count_.insert(count_.begin() + place, 0);
    last_.insert(last_.begin() + place, 0);
    spare_.pop_back();
}

// Moves the upper half of a full block to a new block, which is inserted after it.
void SlotsBySize::split(std::size_t at) {
    open_block(at + 1);
    constexpr std::size_t half = kCapacity / 2;
    const Key* const from = blocks_[block_[at]].keys;
    std::copy(from + half, from + kCapacity, blocks_[block_[at + 1]].keys);
    count_[at] = half;
    count_[at + 1] = kCapacity - half;
    last_[at + 1] = last_[at];
    last_[at] = from[half - 1];
}

} // namespace slotwise
