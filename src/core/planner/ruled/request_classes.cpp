#include "planner/ruled/request_classes.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr ProcCount kClosed = std::numeric_limits<ProcCount>::max();
constexpr std::int32_t kLastRank = std::numeric_limits<std::int32_t>::max();

std::size_t in_groups(std::size_t n) {
    return (n + backfill::kGroup - 1) / backfill::kGroup * backfill::kGroup;
}

} // namespace

RequestClasses::Slot RequestClasses::open_class(const Entry& entry) {
    const Slot slot = size();
    fronts_.push_back(entry.job);
    kinds_.push_back({entry.job, entry.rank, entry.processors, entry.length, entry.hash, entry.user,
                      /*is_open=*/true});
    ranks_.push_back(as_rank(entry.rank));
    links_.emplace_back();
    link(static_cast<std::uint32_t>(slot), entry.owner);
    processors_.resize(in_groups(slot + 1), kClosed);
    lengths_.resize(in_groups(slot + 1), 0);
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
    if (!listed_.empty()) move_listed(slot, last);
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
    }
    processors_[last] = kClosed;
    fronts_.pop_back();
    kinds_.pop_back();
    ranks_.pop_back();
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

// Takes a class that ends out of the list; the last class is about to move into its slot.
void RequestClasses::move_listed(Slot slot, Slot last) {
    std::erase(listed_, static_cast<std::uint32_t>(slot));
    std::replace(listed_.begin(), listed_.end(), static_cast<std::uint32_t>(last),
                 static_cast<std::uint32_t>(slot));
}

bool RequestClasses::list_within(const BackfillBounds& bounds) {
    listed_.clear();
    if (bounds.free == 0) return false;
    for_each_within(bounds,
                    [&](Slot slot) { listed_.push_back(static_cast<std::uint32_t>(slot)); });
    return !listed_.empty();
}

RequestClasses::Slot RequestClasses::first_listed(const BackfillBounds& bounds,
                                                  Duration longest) const {
    Slot found = kNoSlot;
    std::int32_t least = kLastRank;
    const std::int32_t most = backfill::biased(longest);
    const std::int32_t until_shadow = backfill::biased(bounds.until_shadow);
    for (const std::uint32_t slot : listed_) {
        if (ranks_[slot] >= least || processors_[slot] > bounds.free || lengths_[slot] > most ||
            (lengths_[slot] > until_shadow && processors_[slot] > bounds.extra))
            continue;
        least = ranks_[slot];
        found = slot;
    }
    return found;
}

void RequestClasses::set_open(Slot slot, bool open) {
    Kind& kind = kinds_[slot];
    if (kind.is_open == open) return;
    kind.is_open = open;
    processors_[slot] = open ? kind.processors : kClosed;
    ranks_[slot] = open ? as_rank(kind.rank) : kLastRank;
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
    std::int32_t least = kLastRank;
    for (const std::int32_t rank : ranks_)
        least = std::min(least, rank);
    first_ = static_cast<Slot>(std::find(ranks_.begin(), ranks_.end(), least) - ranks_.begin());
}

bool RequestClasses::any_within(const BackfillBounds& bounds) const {
    if (bounds.free == 0) return false;
    for (Slot group = 0; group < size(); group += backfill::kGroup)
        if (backfill::fitting(&processors_[group], &lengths_[group], bounds) != 0) return true;
    return false;
}

} // namespace slotwise
