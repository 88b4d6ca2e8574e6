// The free nodes of a machine as slots. A slot is a maximal run of free nodes that are consecutive
// in the node order.
//
// Example with 10 nodes: while all are free, they form one slot, [0, 10). Allocating [3, 5) splits
// it into [0, 3) and [5, 10). Releasing [3, 4) extends the first slot to [0, 4), and then releasing
// [4, 5) merges the two slots into one.
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

// Allocating, releasing and each search for a single slot take O(log nodes) time. If no slot is
// found, a search returns an empty interval. The first search by size also sorts the slots by size.
// From then on, allocating and releasing keep them sorted, which moves O(slots / 64) entries each
// time.
class Slots {
  public:
    // All nodes are free at first. The number of nodes may be 0.
    explicit Slots(NodeCount nodes);

    NodeCount nodes() const { return nodes_; }
    NodeCount free() const { return free_; }
    std::size_t count() const { return count_; }

    // Requires that all nodes of `taken` are free.
    void allocate(NodeInterval taken);

    // Requires that no node of `freed` is free.
    void release(NodeInterval freed);
    void release(std::span<const NodeInterval> freed);

    bool is_free(std::int32_t position) const { return !slot_at(position).empty(); }

    // Returns the slot that contains `position`.
    NodeInterval slot_at(std::int32_t position) const;

    // Returns the first slot that begins at or after `from`.
    NodeInterval next(std::int32_t from) const { return first_fit(1, from); }

    // Returns the first slot of at least `size` nodes that begins at or after `from`.
    NodeInterval first_fit(NodeCount size, std::int32_t from = 0) const;

    // Returns the smallest slot of at least `size` nodes. If several slots have this size, returns
    // the lowest.
    NodeInterval best_fit(NodeCount size) const { return by_size().best_fit(size); }

    // Returns the largest slot. If several slots have this size, returns the lowest.
    NodeInterval largest() const;
    NodeCount largest_size() const;

    // Returns the slot that comes last in the node order.
    NodeInterval last() const;

    // Appends the k largest slots, or all slots if there are fewer. Larger slots come first; slots
    // of the same size are in ascending order of position.
    void append_largest(std::size_t k, std::vector<NodeInterval>& out) const {
        by_size().append_largest(k, out);
    }

    // Allocates the first `size` nodes of the slots that begin at or after `from`, and appends them
    // to `out` as intervals. Requires that these slots together have at least `size` nodes.
    void take_first(NodeCount size, std::vector<NodeInterval>& out, std::int32_t from = 0);

    // Finds the `size` free nodes with the smallest span (the lowest ones if there are several such
    // sets), and returns the first of them. The others are the next free nodes after it. Examines
    // every slot if none has at least `size` nodes.
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
    std::vector<std::int32_t> begin_of_; // at a slot's end: its first node; elsewhere kNoSlot
    mutable std::optional<SlotsBySize> by_size_; // created by the first search by size
};

} // namespace slotwise
