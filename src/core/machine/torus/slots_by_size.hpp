// Slots sorted by size, and by position among equals.
#pragma once

#include "machine/torus/node_interval.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Keys lie in ascending blocks, so that insert and erase search two short rows and move at most one
// block. Among slots of a size those that begin further up have the smaller key: reading backwards
// gives the largest slots first, and the lowest of equals before the others.
class SlotsBySize {
  public:
    void insert(NodeInterval slot);

    // `slot` is there.
    void erase(NodeInterval slot);

    // The smallest of at least `size` nodes, the lowest of equals; empty where there is none.
    NodeInterval best_fit(NodeCount size) const;

    // Appends the k largest (all, if there are fewer), the largest first, the lowest of equals
    // before the others.
    void append_largest(std::size_t k, std::vector<NodeInterval>& out) const;

  private:
    using Key = std::uint64_t;
    static constexpr std::size_t kCapacity = 64;
    struct Block {
        Key keys[kCapacity]; // ascending
    };

    static Key key_of(NodeInterval slot);
    static NodeInterval slot_of(Key key);

    std::size_t block_of(Key key) const;
    void open_block(std::size_t at);
    void split(std::size_t at);

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> spare_; // blocks not in use
    // The blocks in ascending order of their keys:
    std::vector<std::uint32_t> block_;
    std::vector<std::uint32_t> count_; // at least 1
    std::vector<Key> last_;
};

} // namespace slotwise
