// A set of slots sorted by size; slots of the same size are sorted by position.
#pragma once

#include "machine/torus/node_interval.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

// Each slot is stored as a key that combines its size and its position. Among slots of the same
// size, those that begin later have smaller keys. Reading the keys backwards therefore gives the
// largest slots first and, among slots of the same size, the lowest first. The keys are stored in
// blocks, in ascending order. Inserting or erasing a key therefore searches two short arrays and
// moves at most the keys of one block.
class SlotsBySize {
  public:
    void insert(NodeInterval slot);

    // Requires that `slot` is in the set.
    void erase(NodeInterval slot);

    // Returns the smallest slot of at least `size` nodes, or an empty interval if there is none. If
    // several slots have this size, returns the lowest.
    NodeInterval best_fit(NodeCount size) const;

    // Appends the k largest slots, or all slots if there are fewer. Larger slots come first; slots
    // of the same size are in ascending order of position.
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
    // The blocks in use, in ascending order of their keys.
    std::vector<std::uint32_t> block_;
    std::vector<std::uint32_t> count_; // number of keys in each block, at least 1
    std::vector<Key> last_;
};

} // namespace slotwise
