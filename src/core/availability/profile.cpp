#include "availability/profile_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace slotwise {

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

// If all steps lie within one block, applies them and returns true; otherwise, returns false. The
// last step only ends the one before it, so its change must be 0. `p` must be the last point at or
// before the first step.
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

// Writes the block, with the steps of add_in_block() applied, to a spare block, which then replaces
// the old one. Only the points at the steps may have become equal to their predecessors.
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
    std::uint32_t i =
        from.index + (b.time[from.index] < steps.front().at); // index of the next point to read
    std::uint32_t n = i;                                      // number of points written
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

template <class Notes> void NotedProfile<Notes>::add(Time from, Time to, ProcCount change) {
    assert(from >= origin());
    if (to <= from) return;
    const std::array<Step, 2> steps{{{from, change}, {to, 0}}};
    Position p = locate(from);
    if (add_in_block(p, steps)) return;
    p = split(p, from);
    const Position end = split_at(to);
    if (p.index >= at(p.block).count || time(p) != from)
        p = locate(from); // the block of `p` was split
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

template <class Notes> void NotedProfile<Notes>::advance(Time now) {
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
        if constexpr (kHasLows) copy.summary_[block].notes = {.raised = true, .next_raised = true};
    }
    return copy;
}

template class ProfileBlocks<Lows>;
template class ProfileBlocks<PlannedStarts>;
template class NotedProfile<Lows>;
template class NotedProfile<PlannedStarts>;
template NotedProfile<Lows> NotedProfile<Lows>::copy_of(const NotedProfile<PlannedStarts>&);
template NotedProfile<PlannedStarts>
NotedProfile<PlannedStarts>::copy_of(const NotedProfile<Lows>&);

} // namespace slotwise
