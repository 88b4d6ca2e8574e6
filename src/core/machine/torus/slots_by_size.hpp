// Slots sorted by size, and by position among equal sizes.
#pragma once

#include "machine/torus/node_interval.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Keys are stored in ascending blocks, so insert and erase search two short arrays and move at most
// one block. Among slots of one size, those that begin later have smaller keys. Reading backwards
// thus gives the largest slots first, and the lowest of equal ones.
class SlotsBySize {
  public:
    void insert(NodeInterval slot);

    // Requires that `slot` is in the set.
    void erase(NodeInterval slot);

    // Smallest slot of at least `size` nodes; among equals, the lowest. Empty if there is none.
    NodeInterval best_fit(NodeCount size) const;

    // Appends the k largest slots, or all if there are fewer. Larger slots come first, and of equal
    // ones the lowest.
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
    std::vector<std::uint32_t> spare_; // unused blocks
    // Blocks in ascending order of their keys:
    std::vector<std::uint32_t> block_;
    std::vector<std::uint32_t> count_; // keys in each block, at least 1
    std::vector<Key> last_;
};

} // namespace slotwise
