#include "availability/profile_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace slotwise {

template <class Notes>
NotedProfile<Notes>::NotedProfile(ProcCount processors, Time origin) {
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
std::size_t NotedProfile<Notes>::n_points() const {
    std::size_t n = 0;
    for (const Summary& s : summary_)
        n += blocks_[s.slot].count;
    return n;
}

// Finds the last point at or before t; t >= origin.
template <class Notes>
typename NotedProfile<Notes>::Position NotedProfile<Notes>::locate(Time t) const {
    std::size_t block = 0;
    for (std::size_t length = summary_.size(); length > 1;) {
        const std::size_t half = length / 2;
        if (summary_[block + half].first <= t) block += half;
        length -= half;
    }
    return locate_in(block, t);
}

template <class Notes>
typename NotedProfile<Notes>::Position NotedProfile<Notes>::locate_in(std::size_t block, Time t) const {
    const Block& b = at(block);
    const Time* base = b.time.data();
    for (std::uint32_t length = b.count; length > 1;) {
        const std::uint32_t half = length / 2;
        base = base[half] <= t ? base + half : base;
        length -= half;
    }
    return {block, static_cast<std::uint32_t>(base - b.time.data())};
}

template <class Notes>
typename NotedProfile<Notes>::Position NotedProfile<Notes>::locate_near(Time t) const {
    const Position p = near_;
    if (p.block >= summary_.size() || p.index >= at(p.block).count) return locate(t);
    const Block& b = at(p.block);
    const Time next = p.index + 1 < b.count           ? b.time[p.index + 1]
                      : p.block + 1 < summary_.size() ? summary_[p.block + 1].first
                                                      : kNever;
    return b.time[p.index] <= t && t < next ? p : locate(t);
}

template <class Notes>
void NotedProfile<Notes>::refresh(std::size_t block) {
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

template <class Notes>
void NotedProfile<Notes>::drop_block(std::size_t block) {
    spare_.push_back(summary_[block].slot);
    summary_.erase(summary_.begin() + static_cast<std::ptrdiff_t>(block));
}

// Takes an unused block.
template <class Notes>
std::uint32_t NotedProfile<Notes>::spare_slot() {
    if (spare_.empty()) {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    const std::uint32_t slot = spare_.back();
    spare_.pop_back();
    return slot;
}

// Moves the upper half of a full block into a new block after it.
template <class Notes>
void NotedProfile<Notes>::split_block(std::size_t block) {
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

// Joins a block with its successor if both fit well into one.
template <class Notes>
void NotedProfile<Notes>::join_if_small(std::size_t block) {
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

// Makes t a point unless it is one; p = locate(t).
template <class Notes>
typename NotedProfile<Notes>::Position NotedProfile<Notes>::split_at(Position p, Time t) {
    if (time(p) == t) return p;
    if (at(p.block).count == kLanes) {
        split_block(p.block);
        p = locate(t);
    }
    at(p.block).insert_after(p.index, t);
    return {p.block, p.index + 1};
}

template <class Notes>
void NotedProfile<Notes>::erase(Position p) {
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

// Removes a point if its value repeats the one before and nothing starts there.
template <class Notes> void NotedProfile<Notes>::merge_at(Position p) {
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
void NotedProfile<Notes>::lower_lows(std::size_t block, std::uint32_t from, std::uint32_t to)
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

template <class Notes>
void NotedProfile<Notes>::add_to_all(std::size_t block, ProcCount change) {
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
void NotedProfile<Notes>::add_within(std::size_t block, std::uint32_t from, std::uint32_t to,
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

// Inserts a copy of lane `index` after it, from time t on.
template <class Notes>
void NotedProfile<Notes>::Block::insert_after(std::uint32_t index, Time t) {
    insert_lane(time.data(), count, index + 1, t);
    insert_lane(value.data(), count, index + 1, value[index]);
    insert_lane(notes[0].data(), count, index + 1, notes[0][index]);
    insert_lane(notes[1].data(), count, index + 1, notes[1][index]);
    if constexpr (!kHasLows) set_starts(index + 1, {});
    ++count;
}

// Adds the changes of the steps, the last of which is 0, if all of them lie within one block;
// otherwise returns false. `p` is the last point at or before the first step.
template <class Notes>
bool NotedProfile<Notes>::add_in_block(Position p, std::span<const Step> steps) {
    const Time from = steps.front().at;
    const Time to = steps.back().at;
    const std::uint32_t count = at(p.block).count;
    const auto n = static_cast<std::uint32_t>(steps.size());
    const bool ends_within = p.block + 1 == summary_.size() || to < summary_[p.block + 1].first;
    const bool starts_within = p.block == 0 || from > summary_[p.block].first;
    const bool stays_big = summary_.size() == 1 || count >= kLanes / 4 + n;
    if (!ends_within || !starts_within || !stays_big || count + n > kLanes) return false;
    rewrite(p, steps);
    return true;
}

// Copies the points [begin, end) to `into`, from index `at` on, in groups of a fixed size. Few
// blocks have more than two points on either side of a change. Up to kSlack further lanes are
// written.
template <class Notes>
void NotedProfile<Notes>::Block::copy_to(Block& into, std::uint32_t begin, std::uint32_t end,
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

// Writes the block, as changed by add_in_block(), into a spare block that replaces it. Only the
// points of the steps may have become equal to their predecessors.
template <class Notes>
void NotedProfile<Notes>::rewrite(Position from, std::span<const Step> steps) {
    const std::uint32_t slot = spare_slot();
    Summary& s = summary_[from.block];
    const Block& b = blocks_[s.slot];
    Block& into = blocks_[slot];
    ProcCount lo = s.lo - s.lift, hi = s.hi - s.lift;
    ProcCount to_low = 0, to_next = 0;
    if constexpr (kHasLows) {
        to_low = s.lift - s.notes.low_lift;
        to_next = s.lift - s.notes.next_lift;
    }
    const ProcCount tight_lo = lo, tight_hi = hi;
    bool loosens = kHasLows;
    const auto write = [&](std::uint32_t n, Time t, std::uint32_t index, ProcCount change) {
        const ProcCount v = b.value[index] + change;
        if constexpr (!kHasLows)
            loosens |= (b.value[index] == tight_lo) | (b.value[index] == tight_hi);
        lo = std::min(lo, v);
        hi = std::max(hi, v);
        into.time[n] = t;
        into.value[n] = v;
        into.notes[0][n] = kHasLows ? std::min(b.notes[0][index], v + to_low) : b.notes[0][index];
        into.notes[1][n] = kHasLows ? std::min(b.notes[1][index], v + to_next) : b.notes[1][index];
    };
    std::uint32_t i = from.index + (b.time[from.index] < steps.front().at); // next point to write
    std::uint32_t n = i;                                                    // points written
    b.copy_to(into, 0, n, 0);
    [[maybe_unused]] bool rises = false;
    const auto write_step = [&](const Step& step) {
        const bool is_point = (i < b.count) & (b.time[i] == step.at);
        write(n, step.at, i - !is_point, step.change);
        i += is_point;
        const std::uint32_t before = n - (n > 0);
        bool alike = (n > 0) & (into.value[n] == into.value[before]);
        if constexpr (kHasLows) {
            into.low()[before] = std::min(into.low()[before], into.low()[before + alike]);
            into.next_low()[before] =
                std::min(into.next_low()[before], into.next_low()[before + alike]);
        } else {
            into.set_starts(n, is_point ? Notes{into.first()[n], into.narrowest()[n]} : Notes{});
            alike &= into.first()[n] == Notes::kNone;
        }
        n += !alike;
    };
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        write_step(steps[k]);
        near_ = {from.block, n - 1};
        rises |= steps[k].change > 0;
        for (; i < b.count && b.time[i] < steps[k + 1].at; ++i)
            write(n++, b.time[i], i, steps[k].change);
    }
    write_step(steps.back());
    if constexpr (kHasLows) {
        s.notes.raised = s.notes.raised || rises;
        s.notes.next_raised = s.notes.next_raised || rises;
    }
    b.copy_to(into, i, b.count, n);
    into.count = n + b.count - i;
    spare_.push_back(s.slot);
    s.slot = slot;
    s.lo = lo + s.lift;
    s.hi = hi + s.lift;
    s.loose |= loosens;
}

template <class Notes>
void NotedProfile<Notes>::move(Time start, Time before, Time duration, ProcCount processors) {
    const Time end = start + duration;
    const std::array<Step, 4> steps{{{start, -processors},
                                     {std::min(end, before), 0},
                                     {std::max(end, before), processors},
                                     {before + duration, 0}}};
    if (end != before && add_in_block(locate_near(start), steps)) return;
    add(steps[0].at, steps[1].at, -processors);
    add(steps[2].at, steps[3].at, processors);
}

template <class Notes>
void NotedProfile<Notes>::add(Time from, Time to, ProcCount change) {
    assert(from >= origin());
    if (to <= from) return;
    const std::array<Step, 2> steps{{{from, change}, {to, 0}}};
    Position p = locate_near(from);
    if (add_in_block(p, steps)) return;
    p = split_at(p, from);
    const Position end = split_at(to);
    if (p.index >= at(p.block).count || time(p) != from) p = locate(from); // its block was split
    const Position first = p;
    for (; p.block < end.block; ++p.block, p.index = 0) {
        if (p.index == 0)
            add_to_all(p.block, change);
        else
            add_within(p.block, p.index, at(p.block).count, change);
    }
    if (p.index < end.index) add_within(p.block, p.index, end.index, change);
    merge_at(end);
    merge_at(first);
}

template <class Notes>
void NotedProfile<Notes>::advance(Time now) {
    const Position p = locate(now);
    for (std::size_t b = 0; b < p.block; ++b)
        drop_block(0);
    Block& b = at(0);
    if (p.index > 0) {
        const auto shift = [&](auto& lanes) {
            std::copy(lanes.begin() + p.index, lanes.begin() + b.count, lanes.begin());
        };
        shift(b.time);
        shift(b.value);
        shift(b.notes[0]);
        shift(b.notes[1]);
        b.count -= p.index;
    }
    if constexpr (!kHasLows)
        if (b.time[0] < now) b.set_starts(0, {});
    b.time[0] = summary_[0].first = now;
    summary_[0].loose = true;
    if (b.count < kLanes / 4) join_if_small(0);
}

template <class Notes> void NotedProfile<Notes>::tighten() {
    if (summary_.size() == 1) return;
    for (std::size_t block = 0; block < summary_.size(); ++block)
        if (summary_[block].loose) refresh(block);
}

template <class Notes>
void NotedProfile<Notes>::mark()
    requires kHasLows
{
    for (std::size_t block = 0; block < summary_.size(); ++block) {
        Summary& s = summary_[block];
        if (s.loose && summary_.size() > 1) refresh(block);
        if (!s.notes.raised) continue;
        Block& b = blocks_[s.slot];
        std::copy_n(b.next_low().begin(), b.count, b.low().begin());
        std::copy_n(b.value.begin(), b.count, b.next_low().begin());
        s.notes.low_lift = s.notes.next_lift;
        s.notes.next_lift = s.lift;
        s.notes.raised = s.notes.next_raised;
        s.notes.next_raised = false;
    }
}

template <class Notes>
template <class Other>
NotedProfile<Notes> NotedProfile<Notes>::copy_of(const NotedProfile<Other>& other) {
    constexpr std::uint32_t kFilled = kLanes * 3 / 4;
    NotedProfile copy(0, other.origin());
    copy.blocks_.clear();
    copy.summary_.clear();
    bool is_first = true;
    ProcCount before = 0;
    other.for_each_from(other.origin(), [&](Time time, ProcCount free) {
        if (!is_first && free == before) return;
        if (is_first || copy.blocks_.back().count == kFilled) {
            const auto slot = static_cast<std::uint32_t>(copy.blocks_.size());
            copy.summary_.push_back({.first = time, .lo = free, .hi = free, .slot = slot});
            copy.blocks_.emplace_back();
        }
        Block& b = copy.blocks_.back();
        b.time[b.count] = time;
        b.value[b.count] = free;
        if constexpr (kHasLows)
            b.low()[b.count] = b.next_low()[b.count] = std::numeric_limits<ProcCount>::min() / 2;
        else
            b.set_starts(b.count, {});
        ++b.count;
        is_first = false;
        before = free;
    });
    for (std::size_t block = 0; block < copy.summary_.size(); ++block) {
        copy.refresh(block);
        if constexpr (kHasLows)
            copy.summary_[block].notes = {.raised = true, .next_raised = true};
    }
    return copy;
}

template class NotedProfile<Lows>;
template class NotedProfile<PlannedStarts>;
template NotedProfile<Lows> NotedProfile<Lows>::copy_of(const NotedProfile<PlannedStarts>&);
template NotedProfile<PlannedStarts> NotedProfile<PlannedStarts>::copy_of(const NotedProfile<Lows>&);

} // namespace slotwise
