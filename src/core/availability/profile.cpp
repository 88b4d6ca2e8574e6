#include "availability/profile.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace slotwise {

Profile::Profile(ProcCount processors, Time origin) {
    Block block{};
    block.count = 1;
    block.time[0] = origin;
    block.value[0] = processors;
    block.set_starts(0, {});
    blocks_.push_back(block);
    summary_.push_back({.first = origin, .lo = processors, .hi = processors, .slot = 0});
}

std::size_t Profile::n_points() const {
    std::size_t n = 0;
    for (const Summary& s : summary_)
        n += blocks_[s.slot].count;
    return n;
}

// Finds the last point at or before t; t >= origin.
Profile::Position Profile::locate(Time t) const {
    std::size_t block = 0;
    for (std::size_t length = summary_.size(); length > 1;) {
        const std::size_t half = length / 2;
        if (summary_[block + half].first <= t) block += half;
        length -= half;
    }
    return locate_in(block, t);
}

Profile::Position Profile::locate_in(std::size_t block, Time t) const {
    const Block& b = at(block);
    const Time* base = b.time.data();
    for (std::uint32_t length = b.count; length > 1;) {
        const std::uint32_t half = length / 2;
        base = base[half] <= t ? base + half : base;
        length -= half;
    }
    return {block, static_cast<std::uint32_t>(base - b.time.data())};
}

Profile::Position Profile::locate_near(Time t) const {
    const Position p = near_;
    if (p.block >= summary_.size() || p.index >= at(p.block).count) return locate(t);
    const Block& b = at(p.block);
    const Time next = p.index + 1 < b.count           ? b.time[p.index + 1]
                      : p.block + 1 < summary_.size() ? summary_[p.block + 1].first
                                                      : kNever;
    return b.time[p.index] <= t && t < next ? p : locate(t);
}

void Profile::refresh(std::size_t block) {
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

void Profile::drop_block(std::size_t block) {
    spare_.push_back(summary_[block].slot);
    summary_.erase(summary_.begin() + static_cast<std::ptrdiff_t>(block));
}

// Takes an unused block.
std::uint32_t Profile::spare_slot() {
    if (spare_.empty()) {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    const std::uint32_t slot = spare_.back();
    spare_.pop_back();
    return slot;
}

// Moves the upper half of a full block into a new block after it.
void Profile::split_block(std::size_t block) {
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
    move(from.narrowest, to.narrowest);
    move(from.first, to.first);
    to.count = from.count - keep;
    from.count = keep;
    summary_.insert(summary_.begin() + static_cast<std::ptrdiff_t>(block) + 1, upper);
    refresh(block);
    refresh(block + 1);
}

// Joins a block with its successor if both fit well into one.
void Profile::join_if_small(std::size_t block) {
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
        left.narrowest[to] = right.narrowest[i];
        left.first[to] = right.first[i];
    }
    left.count += right.count;
    drop_block(block + 1);
    refresh(block);
}

Profile::Position Profile::split_at(Time t) { return split_at(locate(t), t); }

// Makes t a point unless it is one; p = locate(t).
Profile::Position Profile::split_at(Position p, Time t) {
    if (time(p) == t) return p;
    if (at(p.block).count == kLanes) {
        split_block(p.block);
        p = locate(t);
    }
    at(p.block).insert_after(p.index, t);
    return {p.block, p.index + 1};
}

void Profile::erase(Position p) {
    Block& b = at(p.block);
    erase_lane(b.time.data(), b.count, p.index);
    erase_lane(b.value.data(), b.count, p.index);
    erase_lane(b.narrowest.data(), b.count, p.index);
    erase_lane(b.first.data(), b.count, p.index);
    --b.count;
    if (b.count == 0) {
        drop_block(p.block);
        return;
    }
    summary_[p.block].first = b.time[0];
    if (b.count < kLanes / 4) join_if_small(p.block);
}

// Removes a point if its value repeats the one before and nothing starts there.
void Profile::merge_at(Position p) {
    if (p.block == 0 && p.index == 0) return;
    if (at(p.block).first[p.index] != Starts::kNone || value_before(p) != value(p)) return;
    erase(p);
}

void Profile::add_to_all(std::size_t block, ProcCount change) {
    Summary& s = summary_[block];
    s.lift += change;
    s.lo += change;
    s.hi += change;
}

void Profile::add_within(std::size_t block, std::uint32_t from, std::uint32_t to,
                         ProcCount change) {
    Block& b = at(block);
    for (std::uint32_t i = from; i < to; ++i)
        b.value[i] += change;
    refresh(block);
}

// Inserts a copy of lane `index` after it, from time t on.
void Profile::Block::insert_after(std::uint32_t index, Time t) {
    insert_lane(time.data(), count, index + 1, t);
    insert_lane(value.data(), count, index + 1, value[index]);
    insert_lane(narrowest.data(), count, index + 1, Starts{}.narrowest);
    insert_lane(first.data(), count, index + 1, Starts::kNone);
    ++count;
}

// Adds the changes of the steps, the last of which is 0, if all of them lie within one block;
// otherwise returns false. `p` is the last point at or before the first step.
bool Profile::add_in_block(Position p, std::span<const Step> steps) {
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
void Profile::Block::copy_to(Block& into, std::uint32_t begin, std::uint32_t end,
                             std::uint32_t at) const {
    constexpr std::uint32_t kGroup = kSlack + 1;
    for (std::uint32_t i = begin; i < end; i += kGroup, at += kGroup) {
        std::memcpy(into.time.data() + at, time.data() + i, kGroup * sizeof time[0]);
        std::memcpy(into.value.data() + at, value.data() + i, kGroup * sizeof value[0]);
        std::memcpy(into.narrowest.data() + at, narrowest.data() + i,
                    kGroup * sizeof narrowest[0]);
        std::memcpy(into.first.data() + at, first.data() + i, kGroup * sizeof first[0]);
    }
}

// Writes the block, as changed by add_in_block(), into a spare block that replaces it. Only the
// points of the steps may have become equal to their predecessors.
void Profile::rewrite(Position from, std::span<const Step> steps) {
    const std::uint32_t slot = spare_slot();
    Summary& s = summary_[from.block];
    const Block& b = blocks_[s.slot];
    Block& into = blocks_[slot];
    const ProcCount tight_lo = s.lo - s.lift, tight_hi = s.hi - s.lift;
    ProcCount lo = tight_lo, hi = tight_hi;
    bool loosens = false;
    const auto write = [&](std::uint32_t n, Time t, std::uint32_t index, ProcCount change) {
        const ProcCount v = b.value[index] + change;
        loosens |= (b.value[index] == tight_lo) | (b.value[index] == tight_hi);
        lo = std::min(lo, v);
        hi = std::max(hi, v);
        into.time[n] = t;
        into.value[n] = v;
        into.narrowest[n] = b.narrowest[index];
        into.first[n] = b.first[index];
    };
    std::uint32_t i = from.index + (b.time[from.index] < steps.front().at); // next point to write
    std::uint32_t n = i;                                                    // points written
    b.copy_to(into, 0, n, 0);
    const auto write_step = [&](const Step& step) {
        const bool is_point = (i < b.count) & (b.time[i] == step.at);
        write(n, step.at, i - !is_point, step.change);
        if (!is_point) into.set_starts(n, {});
        i += is_point;
        const std::uint32_t before = n - (n > 0);
        const bool alike = (n > 0) & (into.value[n] == into.value[before]) &
                           (into.first[n] == Starts::kNone);
        n += !alike;
    };
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        write_step(steps[k]);
        near_ = {from.block, n - 1};
        for (; i < b.count && b.time[i] < steps[k + 1].at; ++i)
            write(n++, b.time[i], i, steps[k].change);
    }
    write_step(steps.back());
    b.copy_to(into, i, b.count, n);
    into.count = n + b.count - i;
    spare_.push_back(s.slot);
    s.slot = slot;
    s.lo = lo + s.lift;
    s.hi = hi + s.lift;
    s.loose |= loosens;
}

void Profile::move(Time start, Time before, Time duration, ProcCount processors) {
    const Time end = start + duration;
    const std::array<Step, 4> steps{{{start, -processors},
                                     {std::min(end, before), 0},
                                     {std::max(end, before), processors},
                                     {before + duration, 0}}};
    if (end != before && add_in_block(locate_near(start), steps)) return;
    add(steps[0].at, steps[1].at, -processors);
    add(steps[2].at, steps[3].at, processors);
}

void Profile::add(Time from, Time to, ProcCount change) {
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

void Profile::advance(Time now) {
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
        shift(b.narrowest);
        shift(b.first);
        b.count -= p.index;
    }
    if (b.time[0] < now) b.set_starts(0, {});
    b.time[0] = summary_[0].first = now;
    summary_[0].loose = true;
    if (b.count < kLanes / 4) join_if_small(0);
}

void Profile::tighten() {
    if (summary_.size() == 1) return;
    for (std::size_t block = 0; block < summary_.size(); ++block)
        if (summary_[block].loose) refresh(block);
}

} // namespace slotwise
