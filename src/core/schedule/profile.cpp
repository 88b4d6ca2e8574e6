#include "schedule/profile.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace slotwise {

namespace {

template <class Value> void insert_at(std::vector<Value>& values, std::size_t index, Value value) {
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(index), value);
}

template <class Value> void erase_at(std::vector<Value>& values, std::size_t index) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace

Profile::Profile(ProcCount processors, Time origin) {
    Block block;
    block.count = 1;
    block.time[0] = origin;
    block.value[0] = processors;
    blocks_.push_back(block);
    slot_ = {0};
    first_ = {origin};
    lo_ = hi_ = {processors};
    lift_ = {0};
}

std::size_t Profile::n_points() const {
    std::size_t n = 0;
    for (const std::uint32_t slot : slot_) n += blocks_[slot].count;
    return n;
}

// The last point at or before t; t >= origin.
Profile::Position Profile::locate(Time t) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), t);
    return locate_in(static_cast<std::size_t>(after - first_.begin()) - 1, t);
}

Profile::Position Profile::locate_in(std::size_t block, Time t) const {
    const Block& b = at(block);
    const Time* base = b.time.data();
    std::uint32_t length = b.count;
    while (length > 1) {
        const std::uint32_t half = length / 2;
        base = base[half] <= t ? base + half : base;
        length -= half;
    }
    return {block, static_cast<std::uint32_t>(base - b.time.data())};
}

void Profile::refresh(std::size_t block) {
    const Block& b = at(block);
    ProcCount lo = b.value[0], hi = b.value[0];
    for (std::uint32_t i = 1; i < b.count; ++i) {
        lo = std::min(lo, b.value[i]);
        hi = std::max(hi, b.value[i]);
    }
    lo_[block] = lo + lift_[block];
    hi_[block] = hi + lift_[block];
    first_[block] = b.time[0];
}

void Profile::drop_block(std::size_t block) {
    spare_.push_back(slot_[block]);
    erase_at(slot_, block);
    erase_at(first_, block);
    erase_at(lo_, block);
    erase_at(hi_, block);
    erase_at(lift_, block);
}

// Moves the upper half of a full block into a new one after it.
void Profile::split_block(std::size_t block) {
    std::uint32_t slot;
    if (spare_.empty()) {
        slot = static_cast<std::uint32_t>(blocks_.size());
        blocks_.emplace_back();
    } else {
        slot = spare_.back();
        spare_.pop_back();
    }
    Block& from = at(block);
    Block& to = blocks_[slot];
    const std::uint32_t keep = from.count / 2;
    std::copy(from.time.begin() + keep, from.time.begin() + from.count, to.time.begin());
    std::copy(from.value.begin() + keep, from.value.begin() + from.count, to.value.begin());
    to.count = from.count - keep;
    from.count = keep;
    insert_at(slot_, block + 1, slot);
    insert_at(first_, block + 1, to.time[0]);
    insert_at(lo_, block + 1, ProcCount{0});
    insert_at(hi_, block + 1, ProcCount{0});
    insert_at(lift_, block + 1, lift_[block]);
    refresh(block);
    refresh(block + 1);
}

// Joins a block with its successor where both fit well into one.
void Profile::join_if_small(std::size_t block) {
    if (block + 1 >= slot_.size()) return;
    Block& left = at(block);
    Block& right = at(block + 1);
    if (left.count + right.count > kLanes / 2) return;
    const ProcCount shift = lift_[block + 1] - lift_[block];
    for (std::uint32_t i = 0; i < right.count; ++i) {
        left.time[left.count + i] = right.time[i];
        left.value[left.count + i] = right.value[i] + shift;
    }
    left.count += right.count;
    drop_block(block + 1);
    refresh(block);
}

// Makes t a point, if it is none; t >= origin.
Profile::Position Profile::split_at(Time t) {
    Position p = locate(t);
    if (at(p.block).time[p.index] == t) return p;
    if (at(p.block).count == kLanes) {
        split_block(p.block);
        p = locate(t);
    }
    Block& b = at(p.block);
    insert_lane(b.time.data(), b.count, p.index + 1, t);
    insert_lane(b.value.data(), b.count, p.index + 1, b.value[p.index]);
    ++b.count;
    return {p.block, p.index + 1};
}

void Profile::erase(Position p) {
    Block& b = at(p.block);
    erase_lane(b.time.data(), b.count, p.index);
    erase_lane(b.value.data(), b.count, p.index);
    --b.count;
    if (b.count == 0) {
        drop_block(p.block);
        return;
    }
    refresh(p.block);
    if (b.count < kLanes / 4) join_if_small(p.block);
}

// Removes the point at t if it changes nothing.
void Profile::merge_at(Time t) {
    const Position p = locate(t);
    if (p.block == 0 && p.index == 0) return;
    const Position before =
        p.index > 0 ? Position{p.block, p.index - 1}
                    : Position{p.block - 1, at(p.block - 1).count - 1};
    if (value(before) == value(p)) erase(p);
}

void Profile::add_within(std::size_t block, std::uint32_t from, std::uint32_t to,
                         ProcCount change) {
    Block& b = at(block);
    for (std::uint32_t i = from; i < to; ++i) b.value[i] += change;
    refresh(block);
}

void Profile::add(Time from, Time to, ProcCount change) {
    assert(from >= origin());
    if (to <= from) return;
    split_at(to);
    Position p = split_at(from);
    for (;; ++p.block, p.index = 0) {
        const bool whole = p.block + 1 < slot_.size() && first_[p.block + 1] <= to;
        if (whole && p.index == 0) {
            lift_[p.block] += change;
            lo_[p.block] += change;
            hi_[p.block] += change;
        } else {
            const std::uint32_t end =
                whole ? at(p.block).count : locate_in(p.block, to).index;
            add_within(p.block, p.index, end, change);
        }
        if (!whole || first_[p.block + 1] == to) break;
    }
    merge_at(to);
    merge_at(from);
}

void Profile::advance(Time now) {
    const Position p = locate(now);
    for (std::size_t b = 0; b < p.block; ++b) drop_block(0);
    Block& b = at(0);
    if (p.index > 0) {
        std::copy(b.time.begin() + p.index, b.time.begin() + b.count, b.time.begin());
        std::copy(b.value.begin() + p.index, b.value.begin() + b.count, b.value.begin());
        b.count -= p.index;
    }
    b.time[0] = now;
    refresh(0);
    if (b.count < kLanes / 4) join_if_small(0);
}

Time Profile::earliest(ProcCount processors, Time duration, Time from,
                       const StartGrid& grid) const {
    Position p = locate(from);
    bool running = false;  // inside a stretch of enough free processors, which began at `start`
    Time start = from;
    for (; p.block < slot_.size(); ++p.block, p.index = 0) {
        if (running) {
            if (first_[p.block] - start >= duration) return start;
            if (lo_[p.block] >= processors) continue;
        } else if (hi_[p.block] < processors) {
            continue;
        }
        const Block& b = at(p.block);
        const std::uint64_t fits = enough(p.block, processors);
        const std::uint64_t lacks = ~fits & first_lanes(b.count);
        for (;;) {
            const std::uint64_t next = (running ? lacks : fits) & ~first_lanes(p.index);
            if (next == 0) break;
            p.index = static_cast<std::uint32_t>(std::countr_zero(next));
            if (running && b.time[p.index] - start >= duration) return start;
            if (!running) start = grid.at_or_after(std::max(from, b.time[p.index]));
            running = !running;
        }
    }
    assert(running);
    return start;
}

// Where the stretch of `processors` free around the point p, itself one of enough, begins.
Time Profile::run_start(Position p, ProcCount processors) const {
    std::uint64_t lacks = ~enough(p.block, processors) & first_lanes(p.index);
    while (lacks == 0) {
        if (p.block == 0) return origin();
        --p.block;
        if (lo_[p.block] >= processors) continue;
        lacks = ~enough(p.block, processors) & first_lanes(at(p.block).count);
    }
    const auto last = static_cast<std::uint32_t>(63 - std::countl_zero(lacks));
    if (last + 1 < at(p.block).count) return at(p.block).time[last + 1];
    return first_[p.block + 1];
}

Time Profile::earlier(ProcCount processors, Time duration, Time before, Time from, Time to,
                      const StartGrid& grid) const {
    const Time end = std::min(to, before);
    Position p = locate(from);
    bool running = value(p) >= processors;
    Time start = running ? grid.at_or_after(run_start(p, processors)) : from;
    for (; p.block < slot_.size(); ++p.block, p.index = 0) {
        const Time first = first_[p.block];
        if (running) {
            if (first >= before || first - start >= duration) break;
            if (lo_[p.block] >= processors) continue;
        } else {
            if (first >= end) return kNever;
            if (hi_[p.block] < processors) continue;
        }
        const Block& b = at(p.block);
        const std::uint64_t fits = enough(p.block, processors);
        const std::uint64_t lacks = ~fits & first_lanes(b.count);
        for (;;) {
            const std::uint64_t next = (running ? lacks : fits) & ~first_lanes(p.index);
            if (next == 0) break;
            p.index = static_cast<std::uint32_t>(std::countr_zero(next));
            const Time t = b.time[p.index];
            if (running) {
                if (t >= before || t - start >= duration)
                    return start < before ? start : kNever;
            } else {
                if (t >= end) return kNever;
                start = grid.at_or_after(t);
            }
            running = !running;
        }
    }
    return running && start < before ? start : kNever;
}

ProcCount Profile::least(Time from, Time to) const {
    Position p = locate(from);
    ProcCount found = value(p);
    for (; p.block < slot_.size() && first_[p.block] < to; ++p.block, p.index = 0) {
        if (lo_[p.block] >= found) continue;
        const Block& b = at(p.block);
        for (std::uint32_t i = p.index; i < b.count && b.time[i] < to; ++i)
            found = std::min(found, static_cast<ProcCount>(b.value[i] + lift_[p.block]));
    }
    return found;
}

ProcCount Profile::most(Time from, Time to) const {
    Position p = locate(from);
    ProcCount found = value(p);
    for (; p.block < slot_.size() && first_[p.block] < to; ++p.block, p.index = 0) {
        if (hi_[p.block] <= found) continue;
        const Block& b = at(p.block);
        for (std::uint32_t i = p.index; i < b.count && b.time[i] < to; ++i)
            found = std::max(found, static_cast<ProcCount>(b.value[i] + lift_[p.block]));
    }
    return found;
}

}  // namespace slotwise
