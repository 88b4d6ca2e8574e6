// The free nodes of a machine as slots: the maximal runs of free nodes along the node order.
//
// Example, 10 nodes: all free, they are one slot, [0, 10). Allocating [3, 5) splits it into [0, 3)
// and [5, 10); releasing [3, 4) gives [0, 4) and [5, 10), releasing [4, 5) merges all into one.
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

// Allocation, release and every search for one slot take O(log nodes), and O(slots / 64) moves once
// slots are sorted by size: the first search by size sorts them, and they are kept sorted from then
// on. Who never asks does not pay. An empty interval says that there is no such slot.
class Slots {
  public:
    // All nodes are free. (None where the machine has no nodes.)
    explicit Slots(NodeCount nodes);

    NodeCount nodes() const { return nodes_; }
    NodeCount free() const { return free_; }
    std::size_t count() const { return count_; }

    // All of `taken` is free.
    void allocate(NodeInterval taken);

    // Nothing of `freed` is free.
    void release(NodeInterval freed);
    void release(std::span<const NodeInterval> freed);

    bool is_free(std::int32_t position) const { return !slot_at(position).empty(); }

    // The slot that holds `position`.
    NodeInterval slot_at(std::int32_t position) const;

    // The first slot that begins at `from` or later.
    NodeInterval next(std::int32_t from) const { return first_fit(1, from); }

    // The first slot of at least `size` nodes that begins at `from` or later.
    NodeInterval first_fit(NodeCount size, std::int32_t from = 0) const;

    // The smallest slot of at least `size` nodes, the lowest of equals.
    NodeInterval best_fit(NodeCount size) const { return by_size().best_fit(size); }

    // The largest slot, the lowest of equals.
    NodeInterval largest() const;
    NodeCount largest_size() const;

    // Appends the k largest slots, or all if there are fewer, the largest first and the lowest of
    // equals before the others.
    void append_largest(std::size_t k, std::vector<NodeInterval>& out) const {
        by_size().append_largest(k, out);
    }

    // Allocates the first `size` free nodes from `from` on, of which there are so many, and appends
    // them to `out`.
    void take_first(NodeCount size, std::vector<NodeInterval>& out, std::int32_t from = 0);

    // Where a set of `size` free nodes begins that spans the least of the order, the lowest such
    // set; it is the first free nodes from there on. O(slots) where no slot holds so many.
    std::int32_t least_spread(NodeCount size) const;

  private:
    void insert(NodeInterval slot);
    void erase(NodeInterval slot);
    NodeInterval slot_from(std::size_t begin) const;
    const SlotsBySize& by_size() const;

    NodeCount nodes_;
    NodeCount free_ = 0;
    std::size_t count_ = 0;
    MinTree by_position_;                        // by begin of a slot: its shortfall from kMost
    std::vector<std::int32_t> begin_of_;         // by end of a slot: its begin; kNoSlot elsewhere
    mutable std::optional<SlotsBySize> by_size_; // made when first asked for
};

} // namespace slotwise
