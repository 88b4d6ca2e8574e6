#include "availability/profile.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace slotwise {

Profile::Profile(ProcCount processors, Time origin) {
    Block block{};
    block.count = 1;
    block.time[0] = origin;
    block.value[0] = block.low[0] = block.next_low[0] = processors;
    blocks_.push_back(block);
    summary_.push_back({.first = origin, .lo = processors, .hi = processors, .slot = 0});
}

std::size_t Profile::n_points() const {
    std::size_t n = 0;
    for (const Summary& s : summary_)
        n += blocks_[s.slot].count;
    return n;
}

// Returns the last point at or before t. Requires t >= origin.
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

// Returns the index of an unused block.
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
    move(from.low, to.low);
    move(from.next_low, to.next_low);
    to.count = from.count - keep;
    from.count = keep;
    summary_.insert(summary_.begin() + static_cast<std::ptrdiff_t>(block) + 1, upper);
    refresh(block);
    refresh(block + 1);
}

// Merges a block with its successor if both easily fit into one block.
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
        left.low[to] = right.low[i] + r.low_lift - l.low_lift;
        left.next_low[to] = right.next_low[i] + r.next_lift - l.next_lift;
    }
    left.count += right.count;
    l.raised = l.raised || r.raised;
    l.next_raised = l.next_raised || r.next_raised;
    drop_block(block + 1);
    refresh(block);
}

// Adds a point at t unless there is one already. Requires t >= origin.
Profile::Position Profile::split_at(Time t) {
    Position p = locate(t);
    if (time(p) == t) return p;
    if (at(p.block).count == kLanes) {
        split_block(p.block);
        p = locate(t);
    }
    at(p.block).insert_after(p.index, t);
    return {p.block, p.index + 1};
}

void Profile::Block::erase(std::uint32_t index) {
    erase_lane(time.data(), count, index);
    erase_lane(value.data(), count, index);
    erase_lane(low.data(), count, index);
    erase_lane(next_low.data(), count, index);
    --count;
}

// Removes the point at t if its value is the same as that of the point before it.
void Profile::merge_at(Time t) {
    const Position p = locate(t);
    if (p.block == 0 && p.index == 0) return;
    const Position before = p.index > 0 ? Position{p.block, p.index - 1}
                                        : Position{p.block - 1, at(p.block - 1).count - 1};
    if (value(before) != value(p)) return;
    const Summary& s = summary_[p.block];
    const Summary& left = summary_[before.block];
    Block& b = at(p.block);
    Block& into = at(before.block);
    const ProcCount low = b.low[p.index] + s.low_lift - left.low_lift;
    const ProcCount next_low = b.next_low[p.index] + s.next_lift - left.next_lift;
    into.low[before.index] = std::min(into.low[before.index], low);
    into.next_low[before.index] = std::min(into.next_low[before.index], next_low);
    summary_[before.block].raised = left.raised || s.raised;
    summary_[before.block].next_raised = left.next_raised || s.next_raised;
    b.erase(p.index);
    if (b.count == 0) return drop_block(p.block);
    summary_[p.block].first = b.time[0];
    if (b.count < kLanes / 4) join_if_small(p.block);
}

void Profile::lower_lows(std::size_t block, std::uint32_t from, std::uint32_t to) {
    Block& b = at(block);
    const Summary& s = summary_[block];
    const ProcCount to_low = s.lift - s.low_lift;
    const ProcCount to_next = s.lift - s.next_lift;
    for (std::uint32_t i = from; i < to; ++i) {
        b.low[i] = std::min(b.low[i], b.value[i] + to_low);
        b.next_low[i] = std::min(b.next_low[i], b.value[i] + to_next);
    }
}

void Profile::add_to_all(std::size_t block, ProcCount change) {
    Summary& s = summary_[block];
    s.lift += change;
    s.lo += change;
    s.hi += change;
    if (change > 0) {
        s.raised = s.next_raised = true;
    } else if (s.raised) {
        lower_lows(block, 0, at(block).count);
    } else {
        s.low_lift += change;
        s.next_lift += change;
    }
}

void Profile::add_within(std::size_t block, std::uint32_t from, std::uint32_t to,
                         ProcCount change) {
    Block& b = at(block);
    for (std::uint32_t i = from; i < to; ++i)
        b.value[i] += change;
    if (change > 0)
        summary_[block].raised = summary_[block].next_raised = true;
    else
        lower_lows(block, from, to);
    refresh(block);
}

// Inserts a copy of lane `index` directly after it, valid from time t on.
void Profile::Block::insert_after(std::uint32_t index, Time t) {
    insert_lane(time.data(), count, index + 1, t);
    insert_lane(value.data(), count, index + 1, value[index]);
    insert_lane(low.data(), count, index + 1, low[index]);
    insert_lane(next_low.data(), count, index + 1, next_low[index]);
    ++count;
}

// Adds the changes of the steps, the last of which is 0, if all steps lie within one block.
// Otherwise returns false. `p` is the last point at or before the first step.
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
// blocks have more than two points on either side of a change. Up to kSlack extra lanes may be
// written.
void Profile::Block::copy_to(Block& into, std::uint32_t begin, std::uint32_t end,
                             std::uint32_t at) const {
    constexpr std::uint32_t kGroup = kSlack + 1;
    for (std::uint32_t i = begin; i < end; i += kGroup, at += kGroup) {
        std::memcpy(into.time.data() + at, time.data() + i, kGroup * sizeof time[0]);
        std::memcpy(into.value.data() + at, value.data() + i, kGroup * sizeof value[0]);
        std::memcpy(into.low.data() + at, low.data() + i, kGroup * sizeof low[0]);
        std::memcpy(into.next_low.data() + at, next_low.data() + i, kGroup * sizeof next_low[0]);
    }
}

// Writes the block, as changed by add_in_block(), into a spare block that replaces it. Only at the
// points of the steps may a value now equal that of the point before.
void Profile::rewrite(Position from, std::span<const Step> steps) {
    const std::uint32_t slot = spare_slot();
    Summary& s = summary_[from.block];
    const Block& b = blocks_[s.slot];
    Block& into = blocks_[slot];
    const ProcCount to_low = s.lift - s.low_lift;
    const ProcCount to_next = s.lift - s.next_lift;
    ProcCount lo = s.lo - s.lift, hi = s.hi - s.lift;
    const auto write = [&](std::uint32_t n, Time t, std::uint32_t index, ProcCount change) {
        const ProcCount v = b.value[index] + change;
        lo = std::min(lo, v);
        hi = std::max(hi, v);
        into.time[n] = t;
        into.value[n] = v;
        into.low[n] = std::min(b.low[index], v + to_low);
        into.next_low[n] = std::min(b.next_low[index], v + to_next);
    };
    std::uint32_t i = from.index + (b.time[from.index] < steps.front().at); // next point to write
    std::uint32_t n = i; // number of points written
    b.copy_to(into, 0, n, 0);
    bool rises = false;
    const auto write_step = [&](const Step& step) {
        const bool is_point = (i < b.count) & (b.time[i] == step.at);
        write(n, step.at, i - !is_point, step.change);
        i += is_point;
        const std::uint32_t before = n - (n > 0);
        const bool alike = (n > 0) & (into.value[n] == into.value[before]);
        into.low[before] = std::min(into.low[before], into.low[before + alike]);
        into.next_low[before] = std::min(into.next_low[before], into.next_low[before + alike]);
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
    s.raised = s.raised || rises;
    s.next_raised = s.next_raised || rises;
    b.copy_to(into, i, b.count, n);
    into.count = n + b.count - i;
    spare_.push_back(s.slot);
    s.slot = slot;
    s.lo = lo + s.lift;
    s.hi = hi + s.lift;
    s.loose = true;
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
    if (add_in_block(locate(from), steps)) return;
    split_at(to);
    Position p = split_at(from);
    for (;; ++p.block, p.index = 0) {
        const bool whole = p.block + 1 < summary_.size() && summary_[p.block + 1].first <= to;
        if (whole && p.index == 0) {
            add_to_all(p.block, change);
        } else {
            const std::uint32_t end = whole ? at(p.block).count : locate_in(p.block, to).index;
            add_within(p.block, p.index, end, change);
        }
        if (!whole || summary_[p.block + 1].first == to) break;
    }
    merge_at(to);
    merge_at(from);
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
        shift(b.low);
        shift(b.next_low);
        b.count -= p.index;
    }
    b.time[0] = summary_[0].first = now;
    summary_[0].loose = true;
    if (b.count < kLanes / 4) join_if_small(0);
}

void Profile::mark() {
    for (std::size_t block = 0; block < summary_.size(); ++block) {
        Summary& s = summary_[block];
        if (s.loose && summary_.size() > 1) refresh(block);
        if (!s.raised) continue;
        Block& b = blocks_[s.slot];
        std::copy_n(b.next_low.begin(), b.count, b.low.begin());
        std::copy_n(b.value.begin(), b.count, b.next_low.begin());
        s.low_lift = s.next_lift;
        s.next_lift = s.lift;
        s.raised = s.next_raised;
        s.next_raised = false;
    }
}

} // namespace slotwise
