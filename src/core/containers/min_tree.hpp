// A fixed number of slots, each with a length. A tree of minima finds the slots whose length is at
// most a given bound.
#pragma once

#include "containers/min_tree_node.hpp"
#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace slotwise {

class MinTree {
  public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // Creates `n` empty slots.
    explicit MinTree(std::size_t n) {
        do {
            n = (n + min_tree_node::kFanout - 1) / min_tree_node::kFanout * min_tree_node::kFanout;
            levels_.emplace_back(n, min_tree_node::kEmpty);
            n /= min_tree_node::kFanout;
        } while (n > 1);
    }

    Duration operator[](std::size_t slot) const { return levels_[0][slot]; }

    // Sets the length of a slot. This takes at most O(log n) time, and usually less.
    void set(std::size_t slot, Duration length) {
        const Duration before = levels_[0][slot];
        levels_[0][slot] = length;
        for (std::size_t k = 1; k < levels_.size(); ++k) {
            const std::size_t parent = slot >> min_tree_node::kShift;
            Duration& least = levels_[k][parent];
            if (length < least)
                least = length;
            else if (least == before && before < length)
                least = min_tree_node::minimum(levels_[k - 1].data() +
                                               (parent << min_tree_node::kShift));
            else
                return;
            slot = parent;
            length = least;
        }
    }

    // Returns the first slot in [from, to) whose length is at most `longest`, or `to` if there is
    // none.
    std::size_t first(std::size_t from, std::size_t to, Duration longest) const {
        std::size_t at = from;
        for (std::size_t k = 0; at << (min_tree_node::kShift * k) < to; ++k) {
            const std::size_t node = at >> min_tree_node::kShift << min_tree_node::kShift;
            const unsigned found = min_tree_node::at_most(levels_[k].data() + node, longest) &
                                   (0xFFFFU << (at & (min_tree_node::kFanout - 1)));
            if (found != 0) return std::min(to, descend(k, node + lowest(found), longest));
            if (k + 1 == levels_.size()) break;
            at = (at >> min_tree_node::kShift) + 1;
            if (at >= levels_[k + 1].size()) break;
        }
        return to;
    }

    // Returns the last slot before `to` whose length is at most `longest`, or kNone if there is
    // none.
    std::size_t last(std::size_t to, Duration longest) const {
        std::size_t at = to;
        for (std::size_t k = 0; k < levels_.size() && at > 0; ++k) {
            const std::size_t node = (at - 1) >> min_tree_node::kShift << min_tree_node::kShift;
            const unsigned found = min_tree_node::at_most(levels_[k].data() + node, longest) &
                                   ((2U << (at - 1 - node)) - 1);
            if (found != 0) return descend_last(k, node + highest(found), longest);
            at = node >> min_tree_node::kShift;
        }
        return kNone;
    }

    // Returns the smallest length, or kEmpty if all slots are empty.
    Duration least() const { return min_tree_node::minimum(levels_.back().data()); }

    // Calls `visit(slot)` in ascending order for every slot in [from, to) whose length is at most
    // `longest`. `visit` may change the length of the slot that it is given.
    template <class Visitor>
    void for_each(std::size_t from, std::size_t to, Duration longest, Visitor&& visit) const {
        for (std::size_t at = first(from, to, longest); at < to;) {
            const std::size_t row = at >> kRowShift << kRowShift;
            for (unsigned nodes = nodes_with(row, longest) & above(at - row, min_tree_node::kShift);
                 nodes != 0; nodes &= nodes - 1) {
                const std::size_t node = row + (lowest(nodes) << min_tree_node::kShift);
                unsigned found = min_tree_node::at_most(levels_[0].data() + node, longest);
                if (node < at) found &= above(at - node, 0);
                for (; found != 0; found &= found - 1) {
                    const std::size_t slot = node + lowest(found);
                    if (slot >= to) return;
                    visit(slot);
                }
            }
            at = first(row + (std::size_t{1} << kRowShift), to, longest);
        }
    }

  private:
    // A row consists of the slots below one node of level 1.
    static constexpr unsigned kRowShift = 2 * min_tree_node::kShift;

    // Sets bit i of the result if node i of the row that begins at slot `row` contains a length of
    // at most `longest`.
    unsigned nodes_with(std::size_t row, Duration longest) const {
        if (levels_.size() == 1) return 1;
        return min_tree_node::at_most(levels_[1].data() + (row >> min_tree_node::kShift), longest);
    }

    // Returns a mask of the bits from position `offset` >> `shift` upwards.
    static unsigned above(std::size_t offset, unsigned shift) {
        return 0xFFFFU << (offset >> shift);
    }

    static std::size_t lowest(unsigned bits) {
        return static_cast<std::size_t>(std::countr_zero(bits));
    }

    static std::size_t highest(unsigned bits) {
        return static_cast<std::size_t>(std::bit_width(bits) - 1);
    }

    std::size_t descend_last(std::size_t k, std::size_t at, Duration longest) const {
        while (k-- > 0) {
            at <<= min_tree_node::kShift;
            at += highest(min_tree_node::at_most(levels_[k].data() + at, longest));
        }
        return at;
    }

    std::size_t descend(std::size_t k, std::size_t at, Duration longest) const {
        while (k-- > 0) {
            at <<= min_tree_node::kShift;
            at += lowest(min_tree_node::at_most(levels_[k].data() + at, longest));
        }
        return at;
    }

    std::vector<std::vector<Duration>>
        levels_; // minima of each level, lowest level first; padded to whole nodes
};

} // namespace slotwise
