// The points of an availability profile, in blocks.
#pragma once

#include "containers/compare_block.hpp"
#include "types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace slotwise {

// The notes that record the low of each point. The low is the smallest value since the second-last
// call of mark(). A span is freed for jobs of n processors if its value is n or more and its low is
// below n.
struct Lows {
    struct OfBlock {
        ProcCount low_lift = 0;
        ProcCount next_lift = 0;
        bool raised = false;      // true if a value may be above its low()
        bool next_raised = false; // true if a value may be above its next_low()
    };
};

// The notes that record which promises start at each point. A point at which a promise starts is
// never removed, even if its value equals that of the previous point.
struct PlannedStarts {
    struct OfBlock {};

    static constexpr std::int32_t kNone = -1;

    std::int32_t first = kNone; // first promise at the point, as numbered by the caller
    // The processors of the narrowest promise at the point.
    ProcCount narrowest = std::numeric_limits<ProcCount>::max();
};

// Stores the points of a NotedProfile, and the notes on each point.
template <class Notes> class ProfileBlocks {
  public:
    static constexpr bool kHasLows = std::same_as<Notes, Lows>;

    ProfileBlocks(ProcCount processors, Time origin);

    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Returns the last point at or before t. Requires t >= origin.
    Position locate(Time t) const;
    Time time(Position p) const { return at(p.block).time[p.index]; }
    // Returns the number of free processors just before a point, which must not be the first.
    ProcCount value_before(Position p) const {
        return p.index > 0 ? value({p.block, p.index - 1}) : last_value(p.block - 1);
    }
    // Adds a point at t if there is none, and returns its position. Requires t >= origin.
    Position split_at(Time t) { return split(locate(t), t); }

    Notes starts(Position p) const
        requires(!kHasLows)
    {
        const Block& b = at(p.block);
        return {b.first()[p.index], b.narrowest()[p.index]};
    }
    void set_starts(Position p, const Notes& starts)
        requires(!kHasLows)
    {
        at(p.block).set_starts(p.index, starts);
    }

    Time origin() const { return summary_[0].first; }
    std::size_t n_blocks() const { return summary_.size(); }

  protected:
    // The number of spare elements after the last point. Code that copies elements in groups may
    // read and write the spare ones.
    static constexpr std::uint32_t kSlack = 7;

    struct Block {
        std::uint32_t count = 0;
        std::array<Time, kLanes + kSlack> time;
        // The values minus Summary::lift.
        std::array<ProcCount, kLanes + kSlack> value;
        std::array<std::array<ProcCount, kLanes + kSlack>, 2> notes;

        auto& low() { return notes[0]; } // smallest value since the second-last mark
        auto& low() const { return notes[0]; }
        auto& next_low() { return notes[1]; } // smallest value since the last mark
        auto& next_low() const { return notes[1]; }
        auto& narrowest() const { return notes[0]; }
        auto& first() const { return notes[1]; }
        void set_starts(std::uint32_t index, const Notes& starts)
            requires(!kHasLows)
        {
            notes[0][index] = starts.narrowest;
            notes[1][index] = starts.first;
        }

        // Copies the points [begin, end) into the block `into`, from index `at` onwards.
        void copy_to(Block& into, std::uint32_t begin, std::uint32_t end, std::uint32_t at) const;

        // Inserts a point at time `t` after the point at `index`, with the same value.
        void insert_after(std::uint32_t index, Time t);
    };
    struct Summary {
        Time first;
        ProcCount lo; // lower bound of the values
        ProcCount hi; // upper bound of the values
        ProcCount lift = 0;
        std::uint32_t slot; // index in blocks_
        bool loose = false; // true if lo and hi may be wider than the range of the values
        [[no_unique_address]] typename Notes::OfBlock notes{};
    };
    Block& at(std::size_t block) { return blocks_[summary_[block].slot]; }
    const Block& at(std::size_t block) const { return blocks_[summary_[block].slot]; }
    ProcCount value(Position p) const {
        return at(p.block).value[p.index] + summary_[p.block].lift;
    }
    std::uint64_t enough(std::size_t block, ProcCount processors) const {
        const Block& b = at(block);
        return lanes_at_least(b.value.data(), b.count, processors - summary_[block].lift);
    }

    ProcCount last_value(std::size_t block) const { return value({block, at(block).count - 1}); }
    Position locate_in(std::size_t block, Time t) const;
    // Takes an unused block and returns its index.
    std::uint32_t spare_slot() {
        if (spare_.empty()) {
            blocks_.emplace_back();
            return static_cast<std::uint32_t>(blocks_.size() - 1);
        }
        const std::uint32_t slot = spare_.back();
        spare_.pop_back();
        return slot;
    }
    Position split(Position p, Time t);
    void merge_at(Position p);
    void erase(Position p);
    void split_block(std::size_t block);
    void drop_block(std::size_t block);
    void join_if_small(std::size_t block);
    void refresh(std::size_t block);
    void add_to_all(std::size_t block, ProcCount change);
    void add_within(std::size_t block, std::uint32_t from, std::uint32_t to, ProcCount change);
    void lower_lows(std::size_t block, std::uint32_t from, std::uint32_t to)
        requires kHasLows;

    std::vector<Block> blocks_;        // the blocks, in no particular order
    std::vector<std::uint32_t> spare_; // unused indices in blocks_
    std::vector<Summary> summary_;     // summaries of the blocks, in chronological order
};

extern template class ProfileBlocks<Lows>;
extern template class ProfileBlocks<PlannedStarts>;

template <class Notes> ProfileBlocks<Notes>::ProfileBlocks(ProcCount processors, Time origin) {
    Block block{};
    block.count = 1;
    block.time[0] = origin;
    block.value[0] = processors;
    if constexpr (kHasLows)
        block.low()[0] = block.next_low()[0] = processors;
    else
        block.set_starts(0, {});
    blocks_.push_back(block);
    summary_.push_back({.first = origin, .lo = processors, .hi = processors, .slot = 0});
}

template <class Notes>
typename ProfileBlocks<Notes>::Position ProfileBlocks<Notes>::locate(Time t) const {
    std::size_t block = 0;
    for (std::size_t length = summary_.size(); length > 1;) {
        const std::size_t half = length / 2;
        if (summary_[block + half].first <= t) block += half;
        length -= half;
    }
    return locate_in(block, t);
}

template <class Notes>
typename ProfileBlocks<Notes>::Position ProfileBlocks<Notes>::locate_in(std::size_t block,
                                                                        Time t) const {
    const Block& b = at(block);
    const Time* base = b.time.data();
    for (std::uint32_t length = b.count; length > 1;) {
        const std::uint32_t half = length / 2;
        base = base[half] <= t ? base + half : base;
        length -= half;
    }
    return {block, static_cast<std::uint32_t>(base - b.time.data())};
}

template <class Notes> void ProfileBlocks<Notes>::refresh(std::size_t block) {
    const Block& b = at(block);
    Summary& s = summary_[block];
    ProcCount lo = b.value[0], hi = b.value[0];
    for (std::uint32_t i = 1; i < b.count; ++i) {
        lo = std::min(lo, b.value[i]);
        hi = std::max(hi, b.value[i]);
    }
    s.lo = lo + s.lift;
    s.hi = hi + s.lift;
    s.first = b.time[0];
    s.loose = false;
}

template <class Notes> void ProfileBlocks<Notes>::drop_block(std::size_t block) {
    spare_.push_back(summary_[block].slot);
    summary_.erase(summary_.begin() + static_cast<std::ptrdiff_t>(block));
}

// Moves the second half of a full block into a new block after it.
template <class Notes> void ProfileBlocks<Notes>::split_block(std::size_t block) {
    Summary upper = summary_[block];
    upper.slot = spare_slot();
    Block& from = at(block);
    Block& to = blocks_[upper.slot];
    const std::uint32_t keep = from.count / 2;
    const auto move = [&](const auto& source, auto& target) {
        std::copy(source.begin() + keep, source.begin() + from.count, target.begin());
    };
    move(from.time, to.time);
    move(from.value, to.value);
    move(from.notes[0], to.notes[0]);
    move(from.notes[1], to.notes[1]);
    to.count = from.count - keep;
    from.count = keep;
    summary_.insert(summary_.begin() + static_cast<std::ptrdiff_t>(block) + 1, upper);
    refresh(block);
    refresh(block + 1);
}

// Joins a block with its successor if both easily fit into one block.
template <class Notes> void ProfileBlocks<Notes>::join_if_small(std::size_t block) {
    if (block + 1 >= summary_.size()) return;
    Block& left = at(block);
    const Block& right = at(block + 1);
    if (left.count + right.count > kLanes / 2) return;
    Summary& l = summary_[block];
    const Summary& r = summary_[block + 1];
    for (std::uint32_t i = 0; i < right.count; ++i) {
        const std::uint32_t to = left.count + i;
        left.time[to] = right.time[i];
        left.value[to] = right.value[i] + r.lift - l.lift;
        left.notes[0][to] = right.notes[0][i];
        left.notes[1][to] = right.notes[1][i];
        if constexpr (kHasLows) {
            left.low()[to] += r.notes.low_lift - l.notes.low_lift;
            left.next_low()[to] += r.notes.next_lift - l.notes.next_lift;
        }
    }
    left.count += right.count;
    if constexpr (kHasLows) {
        l.notes.raised = l.notes.raised || r.notes.raised;
        l.notes.next_raised = l.notes.next_raised || r.notes.next_raised;
    }
    drop_block(block + 1);
    refresh(block);
}

// Adds a point at t if there is none, and returns its position. `p` must be locate(t).
template <class Notes>
typename ProfileBlocks<Notes>::Position ProfileBlocks<Notes>::split(Position p, Time t) {
    if (time(p) == t) return p;
    if (at(p.block).count == kLanes) {
        split_block(p.block);
        p = locate(t);
    }
    at(p.block).insert_after(p.index, t);
    return {p.block, p.index + 1};
}

template <class Notes> void ProfileBlocks<Notes>::erase(Position p) {
    Block& b = at(p.block);
    erase_lane(b.time.data(), b.count, p.index);
    erase_lane(b.value.data(), b.count, p.index);
    erase_lane(b.notes[0].data(), b.count, p.index);
    erase_lane(b.notes[1].data(), b.count, p.index);
    --b.count;
    if (b.count == 0) {
        drop_block(p.block);
        return;
    }
    summary_[p.block].first = b.time[0];
    if (b.count < kLanes / 4) join_if_small(p.block);
}

// Removes a point if its value equals that of the previous point and no promise starts there.
template <class Notes> void ProfileBlocks<Notes>::merge_at(Position p) {
    if (p.block == 0 && p.index == 0) return;
    if (value_before(p) != value(p)) return;
    if constexpr (kHasLows) {
        const Position before = p.index > 0 ? Position{p.block, p.index - 1}
                                            : Position{p.block - 1, at(p.block - 1).count - 1};
        const auto& notes = summary_[p.block].notes;
        auto& left = summary_[before.block].notes;
        const Block& b = at(p.block);
        Block& into = at(before.block);
        const ProcCount low = b.low()[p.index] + notes.low_lift - left.low_lift;
        const ProcCount next_low = b.next_low()[p.index] + notes.next_lift - left.next_lift;
        into.low()[before.index] = std::min(into.low()[before.index], low);
        into.next_low()[before.index] = std::min(into.next_low()[before.index], next_low);
        left.raised = left.raised || notes.raised;
        left.next_raised = left.next_raised || notes.next_raised;
    } else if (at(p.block).first()[p.index] != Notes::kNone) {
        return;
    }
    erase(p);
}

template <class Notes>
void ProfileBlocks<Notes>::lower_lows(std::size_t block, std::uint32_t from, std::uint32_t to)
    requires kHasLows
{
    Block& b = at(block);
    const Summary& s = summary_[block];
    const ProcCount to_low = s.lift - s.notes.low_lift;
    const ProcCount to_next = s.lift - s.notes.next_lift;
    for (std::uint32_t i = from; i < to; ++i) {
        b.low()[i] = std::min(b.low()[i], b.value[i] + to_low);
        b.next_low()[i] = std::min(b.next_low()[i], b.value[i] + to_next);
    }
}

template <class Notes> void ProfileBlocks<Notes>::add_to_all(std::size_t block, ProcCount change) {
    Summary& s = summary_[block];
    s.lift += change;
    s.lo += change;
    s.hi += change;
    if constexpr (kHasLows) {
        if (change > 0) {
            s.notes.raised = s.notes.next_raised = true;
        } else if (s.notes.raised) {
            lower_lows(block, 0, at(block).count);
        } else {
            s.notes.low_lift += change;
            s.notes.next_lift += change;
        }
    }
}

template <class Notes>
void ProfileBlocks<Notes>::add_within(std::size_t block, std::uint32_t from, std::uint32_t to,
                                      ProcCount change) {
    Block& b = at(block);
    for (std::uint32_t i = from; i < to; ++i)
        b.value[i] += change;
    if constexpr (kHasLows) {
        if (change > 0)
            summary_[block].notes.raised = summary_[block].notes.next_raised = true;
        else
            lower_lows(block, from, to);
    }
    refresh(block);
}

template <class Notes> void ProfileBlocks<Notes>::Block::insert_after(std::uint32_t index, Time t) {
    insert_lane(time.data(), count, index + 1, t);
    insert_lane(value.data(), count, index + 1, value[index]);
    insert_lane(notes[0].data(), count, index + 1, notes[0][index]);
    insert_lane(notes[1].data(), count, index + 1, notes[1][index]);
    if constexpr (!kHasLows) set_starts(index + 1, {});
    ++count;
}

// Copies the points [begin, end) to `into`, from index `at` onwards, in groups of a fixed size. One
// group is usually enough, because few blocks have more than two points on either side of a change.
// Up to kSlack more elements are written.
template <class Notes>
void ProfileBlocks<Notes>::Block::copy_to(Block& into, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t at) const {
    constexpr std::uint32_t kGroup = kSlack + 1;
    for (std::uint32_t i = begin; i < end; i += kGroup, at += kGroup) {
        std::memcpy(into.time.data() + at, time.data() + i, kGroup * sizeof time[0]);
        std::memcpy(into.value.data() + at, value.data() + i, kGroup * sizeof value[0]);
        for (const std::size_t note : {0, 1})
            std::memcpy(into.notes[note].data() + at, notes[note].data() + i,
                        kGroup * sizeof notes[note][0]);
    }
}

} // namespace slotwise
