#include "machine/torus/slots.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr Duration kMost = std::numeric_limits<NodeCount>::max();
constexpr std::int32_t kNoSlot = -1;

// Converts the size of a slot to a value for the tree of minima: the larger the slot, the smaller
// the value.
Duration shortfall(NodeCount size) {
    return kMost - static_cast<Duration>(size);
}

} // namespace

Slots::Slots(NodeCount nodes)
    : nodes_(nodes), by_position_(static_cast<std::size_t>(nodes)),
      begin_of_(static_cast<std::size_t>(nodes) + 1, kNoSlot) {
    if (nodes > 0) release(NodeInterval{0, nodes});
}

void Slots::insert(NodeInterval slot) {
    by_position_.set(static_cast<std::size_t>(slot.begin), shortfall(slot.size()));
    begin_of_[static_cast<std::size_t>(slot.end)] = slot.begin;
    ++count_;
    if (by_size_) by_size_->insert(slot);
}

void Slots::erase(NodeInterval slot) {
    by_position_.set(static_cast<std::size_t>(slot.begin), min_tree_node::kEmpty);
    begin_of_[static_cast<std::size_t>(slot.end)] = kNoSlot;
    --count_;
    if (by_size_) by_size_->erase(slot);
}

const SlotsBySize& Slots::by_size() const {
    if (!by_size_) {
        by_size_.emplace();
        for (NodeInterval slot = next(0); !slot.empty(); slot = next(slot.end))
            by_size_->insert(slot);
    }
    return *by_size_;
}

NodeInterval Slots::slot_from(std::size_t begin) const {
    const auto at = static_cast<std::int32_t>(begin);
    return {at, at + static_cast<NodeCount>(kMost - by_position_[begin])};
}

NodeInterval Slots::slot_at(std::int32_t position) const {
    const std::size_t begin =
        by_position_.last(static_cast<std::size_t>(position) + 1, shortfall(1));
    if (begin == MinTree::kNone) return {};
    const NodeInterval slot = slot_from(begin);
    return position < slot.end ? slot : NodeInterval{};
}

NodeInterval Slots::first_fit(NodeCount size, std::int32_t from) const {
    const auto end = static_cast<std::size_t>(nodes_);
    const std::size_t begin =
        by_position_.first(static_cast<std::size_t>(from), end, shortfall(size));
    return begin == end ? NodeInterval{} : slot_from(begin);
}

NodeCount Slots::largest_size() const {
    const Duration least = by_position_.least();
    return least == min_tree_node::kEmpty ? 0 : static_cast<NodeCount>(kMost - least);
}

NodeInterval Slots::largest() const {
    const NodeCount size = largest_size();
    return size == 0 ? NodeInterval{} : first_fit(size);
}

NodeInterval Slots::last() const {
    const std::size_t begin = by_position_.last(static_cast<std::size_t>(nodes_), shortfall(1));
    return begin == MinTree::kNone ? NodeInterval{} : slot_from(begin);
}

void Slots::allocate(NodeInterval taken) {
    const NodeInterval slot = slot_at(taken.begin);
    free_ -= taken.size();
    erase(slot);
    if (slot.begin < taken.begin) insert({slot.begin, taken.begin});
    if (taken.end < slot.end) insert({taken.end, slot.end});
}

void Slots::release(NodeInterval freed) {
    free_ += freed.size();
    NodeInterval slot = freed;
    if (const std::int32_t begin = begin_of_[static_cast<std::size_t>(freed.begin)];
        begin != kNoSlot) {
        slot.begin = begin;
        erase({begin, freed.begin});
    }
    if (freed.end < nodes_) {
        const auto after = static_cast<std::size_t>(freed.end);
        if (by_position_[after] != min_tree_node::kEmpty) {
            slot.end = slot_from(after).end;
            erase({freed.end, slot.end});
        }
    }
    insert(slot);
}

void Slots::release(std::span<const NodeInterval> freed) {
    for (const NodeInterval& interval : freed)
        release(interval);
}

void Slots::take_first(NodeCount size, std::vector<NodeInterval>& out, std::int32_t from) {
    for (NodeInterval slot = next(from); size > 0; slot = next(slot.end)) {
        const NodeInterval taken{slot.begin, slot.begin + std::min(size, slot.size())};
        allocate(taken);
        out.push_back(taken);
        size -= taken.size();
    }
}

// Only sets of nodes that begin where a slot begins need to be tried, because one of them has the
// smallest span. A set with the smallest span takes all free nodes between its ends. Its span
// therefore exceeds its size by the total length of the gaps between its slots. If the set takes
// only part of its first slot, nodes of its last slot can be replaced by nodes of the first. This
// adds no gap.
std::int32_t Slots::least_spread(NodeCount size) const {
    if (const NodeInterval whole = first_fit(size); !whole.empty()) return whole.begin;
    NodeInterval from = next(0);
    NodeInterval to = from; // the last slot of the set that begins at `from`
    NodeCount held = to.size();
    std::int32_t begin = from.begin;
    NodeCount least = nodes_;
    for (; !from.empty(); from = next(from.end)) {
        for (; held < size && !to.empty(); held += to.size())
            to = next(to.end);
        if (held < size) break;
        const NodeCount gaps = to.end - from.begin - held;
        if (gaps < least) {
            least = gaps;
            begin = from.begin;
        }
        held -= from.size();
    }
    return begin;
}

} // namespace slotwise
