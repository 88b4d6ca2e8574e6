// Free nodes of a machine as slots: the maximal runs of free nodes along the node order.
//
// Example with 10 nodes: while all are free, they form one slot, [0, 10). Allocating [3, 5) splits
// it into [0, 3) and [5, 10). Releasing [3, 4) gives [0, 4) and [5, 10); releasing [4, 5) merges
// both into one.
#pragma once

#include "containers/min_tree.hpp"
#include "machine/torus/node_interval.hpp"
#include "machine/torus/slots_by_size.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slotwise {

// Allocation, release and each search for one slot take O(log nodes), plus O(slots / 64) moves once
// slots are sorted by size. The first search by size sorts the slots, and they remain sorted;
// without such a search they are never sorted. Searches return an empty interval if there is no
// such slot.
class Slots {
  public:
    // All nodes are free at first; their number may be 0.
    explicit Slots(NodeCount nodes);

    NodeCount nodes() const { return nodes_; }
    NodeCount free() const { return free_; }
    std::size_t count() const { return count_; }

    // Requires that all of `taken` is free.
    void allocate(NodeInterval taken);

    // Requires that none of `freed` is free.
    void release(NodeInterval freed);
    void release(std::span<const NodeInterval> freed);

    bool is_free(std::int32_t position) const { return !slot_at(position).empty(); }

    // Slot that contains `position`.
    NodeInterval slot_at(std::int32_t position) const;

    // First slot that begins at or after `from`.
    NodeInterval next(std::int32_t from) const { return first_fit(1, from); }

    // First slot of at least `size` nodes that begins at or after `from`.
    NodeInterval first_fit(NodeCount size, std::int32_t from = 0) const;

    // Smallest slot of at least `size` nodes; among equals, the lowest.
    NodeInterval best_fit(NodeCount size) const { return by_size().best_fit(size); }

    // Largest slot; among equals, the lowest.
    NodeInterval largest() const;
    NodeCount largest_size() const;

    // Last slot.
    NodeInterval last() const;

    // Appends the k largest slots, or all if there are fewer. Larger slots come first, and of equal
    // ones the lowest.
    void append_largest(std::size_t k, std::vector<NodeInterval>& out) const {
        by_size().append_largest(k, out);
    }

    // Allocates the first `size` free nodes from `from` on, which must exist, and appends them to
    // `out`.
    void take_first(NodeCount size, std::vector<NodeInterval>& out, std::int32_t from = 0);

    // Beginning of the set of `size` free nodes with the smallest span; among equals, the lowest.
    // The set consists of the first `size` free nodes from there on. O(slots) if no slot has `size`
    // nodes.
    std::int32_t least_spread(NodeCount size) const;

  private:
    void insert(NodeInterval slot);
    void erase(NodeInterval slot);
    NodeInterval slot_from(std::size_t begin) const;
    const SlotsBySize& by_size() const;

    NodeCount nodes_;
    NodeCount free_ = 0;
    std::size_t count_ = 0;
    MinTree by_position_;                // at the beginning of each slot: kMost minus its size
    std::vector<std::int32_t> begin_of_; // at each end of a slot: its begin; elsewhere kNoSlot
    mutable std::optional<SlotsBySize> by_size_; // created by the first search by size
};

} // namespace slotwise
