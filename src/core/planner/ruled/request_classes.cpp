#include "planner/ruled/request_classes.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kClosed = std::numeric_limits<ProcCount>::max();

std::size_t in_groups(std::size_t n) {
    return (n + backfill::kGroup - 1) / backfill::kGroup * backfill::kGroup;
}

} // namespace

RequestClasses::Slot RequestClasses::open_class(const Entry& entry) {
    const Slot slot = size();
    fronts_.push_back(entry.job);
    kinds_.push_back({entry.job, entry.rank, entry.processors, entry.length, entry.hash, entry.user,
                      /*is_open=*/true});
    ranks_.resize(in_groups(slot + 1), SixteenMinima::kNone);
    links_.emplace_back();
    link(static_cast<std::uint32_t>(slot), entry.owner);
    processors_.resize(in_groups(slot + 1), kClosed);
    lengths_.resize(in_groups(slot + 1), 0);
    ranks_[slot] = SixteenMinima::of(entry.rank);
    processors_[slot] = entry.processors;
    lengths_[slot] = backfill::biased(entry.length);
    behind_[entry.job] = kNoJob;
    hints_[entry.hash % kHints] = static_cast<std::uint32_t>(slot);
    ++n_open_;
    note_opened(slot);
    return slot;
}

void RequestClasses::close_class(Slot slot) {
    if (kinds_[slot].is_open) --n_open_;
    const Slot last = size() - 1;
    unlink(static_cast<std::uint32_t>(slot));
    if (slot == first_)
        first_ = kNoSlot;
    else if (last == first_)
        first_ = slot;
    if (slot != last) {
        fronts_[slot] = fronts_[last];
        kinds_[slot] = kinds_[last];
        ranks_[slot] = ranks_[last];
        relink(static_cast<std::uint32_t>(last), static_cast<std::uint32_t>(slot));
        processors_[slot] = processors_[last];
        lengths_[slot] = lengths_[last];
        hints_[kinds_[slot].hash % kHints] = static_cast<std::uint32_t>(slot);
        log_change(slot);
    }
    processors_[last] = kClosed;
    ranks_[last] = SixteenMinima::kNone;
    fronts_.pop_back();
    kinds_.pop_back();
    links_.pop_back();
}

void RequestClasses::link(std::uint32_t slot, std::uint32_t owner) {
    links_[slot] = {owner, kNone, kNone};
    if (owner == kNoOwner) return;
    if (owner >= first_of_.size()) first_of_.resize(std::size_t{owner} + 1, kNone);
    const std::uint32_t next = first_of_[owner];
    links_[slot].next = next;
    if (next != kNone) links_[next].previous = slot;
    first_of_[owner] = slot;
}

void RequestClasses::unlink(std::uint32_t slot) {
    const auto [owner, previous, next] = links_[slot];
    if (owner == kNoOwner) return;
    (previous != kNone ? links_[previous].next : first_of_[owner]) = next;
    if (next != kNone) links_[next].previous = previous;
}

// Moves the links of a class to another slot.
void RequestClasses::relink(std::uint32_t from, std::uint32_t to) {
    links_[to] = links_[from];
    const auto [owner, previous, next] = links_[to];
    if (owner == kNoOwner) return;
    (previous != kNone ? links_[previous].next : first_of_[owner]) = to;
    if (next != kNone) links_[next].previous = to;
}

void RequestClasses::set_open(Slot slot, bool open) {
    Kind& kind = kinds_[slot];
    if (kind.is_open == open) return;
    kind.is_open = open;
    processors_[slot] = open ? kind.processors : kClosed;
    ranks_[slot] = open ? SixteenMinima::of(kind.rank) : SixteenMinima::kNone;
    if (open) {
        ++n_open_;
        note_opened(slot);
    } else {
        --n_open_;
        if (slot == first_) first_ = kNoSlot;
    }
}

void RequestClasses::find_first() {
    if (n_open_ == 0) return;
    SixteenMinima least;
    for (Slot group = 0; group < size(); group += backfill::kGroup)
        least.take_smaller(&ranks_[group]);
    first_ = slot_of(least.smallest());
}

// Slot of the open class with this rank.
RequestClasses::Slot RequestClasses::slot_of(SixteenMinima::Value value) const {
    for (Slot group = 0; group < size(); group += backfill::kGroup) {
        const unsigned found = backfill::matching(&ranks_[group], &ranks_[group], value, value);
        if (found != 0) return group + static_cast<Slot>(std::countr_zero(found));
    }
    return kNoSlot;
}

RequestClasses::Slot RequestClasses::first_group(const BackfillBounds& bounds) const {
    if (bounds.free == 0) return size();
    Slot group = 0;
    while (group < size() && backfill::fitting(&processors_[group], &lengths_[group], bounds) == 0)
        group += backfill::kGroup;
    return group;
}

// Only a machine with maintenance windows bounds all lengths.
RequestClasses::Slot RequestClasses::first_within(Slot from_group, const BackfillBounds& bounds,
                                                  Duration longest) const {
    if (longest == kMaxDuration) {
        SixteenMinima least;
        for (Slot group = from_group; group < size(); group += backfill::kGroup)
            least.take_smaller(&ranks_[group], &processors_[group], &lengths_[group], bounds);
        const SixteenMinima::Value found = least.smallest();
        return found != SixteenMinima::kNone ? slot_of(found) : kNoSlot;
    }
    Slot found = kNoSlot;
    SixteenMinima::Value least = SixteenMinima::kNone;
    const std::int32_t most = backfill::biased(longest);
    for_each_within(
        bounds,
        [&](Slot slot) {
            if (ranks_[slot] >= least || lengths_[slot] > most) return;
            least = ranks_[slot];
            found = slot;
        },
        from_group);
    return found;
}

} // namespace slotwise
