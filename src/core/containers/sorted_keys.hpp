// An ordered set of 64-bit keys, stored in sorted blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

// For up to a few thousand keys, this set is faster than a tree, because neighbouring keys are next
// to each other in memory. A block holds at most kMost keys, so an insertion moves at most 2 KB. If
// the insertion splits a block, entries of the list of blocks are moved as well.
class SortedKeys {
  public:
    using Key = std::uint64_t;

    // A position is valid until the next insertion or removal.
    struct Position {
        std::size_t block;
        std::size_t index;
    };

    SortedKeys() : blocks_(1) {}

    // Returns the position of the first key that is at least `key`, or the end if there is none.
    // Takes O(log n) time for n keys.
    Position lower_bound(Key key) const {
        const auto block = std::partition_point(blocks_.begin(), blocks_.end() - 1,
                                                [&](const Block& b) { return b.back() < key; });
        std::size_t index = 0;
        for (std::size_t length = block->size(); length > 0;) {
            const std::size_t half = (length + 1) / 2;
            index += half * static_cast<std::size_t>((*block)[index + half - 1] < key);
            length -= half;
        }
        return {static_cast<std::size_t>(block - blocks_.begin()), index};
    }

    bool is_begin(Position at) const { return at.block == 0 && at.index == 0; }
    bool is_end(Position at) const { return at.index == blocks_[at.block].size(); }
    Key key(Position at) const { return blocks_[at.block][at.index]; }
    Key largest() const { return blocks_.back().back(); } // the set must not be empty

    // Returns the position before `at`, which must not be the first position.
    Position before(Position at) const {
        if (at.index > 0) return {at.block, at.index - 1};
        return {at.block - 1, blocks_[at.block - 1].size() - 1};
    }

    // Adds a key that is not in the set.
    void insert(Key key) {
        const Position at = lower_bound(key);
        Block& keys = blocks_[at.block];
        keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(at.index), key);
        if (keys.size() == kMost) split(at.block);
    }

    // Replaces the key at `at` with a key that has the same place in the order.
    void replace(Position at, Key key) { blocks_[at.block][at.index] = key; }

    void erase(Position at) {
        Block& keys = blocks_[at.block];
        keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(at.index));
        if (keys.empty() && blocks_.size() > 1)
            blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at.block));
    }

  private:
    using Block = std::vector<Key>;
    static constexpr std::size_t kMost = 256;

    void split(std::size_t block) {
        Block& keys = blocks_[block];
        Block upper(keys.begin() + kMost / 2, keys.end());
        keys.resize(kMost / 2);
        blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(block) + 1, std::move(upper));
    }

    std::vector<Block> blocks_; // ascending by key; a block is empty only if it is the only one
};

} // namespace slotwise
