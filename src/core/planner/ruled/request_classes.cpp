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
    owners_.push_back(entry.owner);
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
    if (slot == first_)
        first_ = kNoSlot;
    else if (last == first_)
        first_ = slot;
    if (slot != last) {
        fronts_[slot] = fronts_[last];
        kinds_[slot] = kinds_[last];
        ranks_[slot] = ranks_[last];
        owners_[slot] = owners_[last];
        processors_[slot] = processors_[last];
        lengths_[slot] = lengths_[last];
        hints_[kinds_[slot].hash % kHints] = static_cast<std::uint32_t>(slot);
        log_change(slot);
    }
    processors_[last] = kClosed;
    fronts_.pop_back();
    kinds_.pop_back();
    ranks_.pop_back();
    owners_.pop_back();
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

RequestClasses::Slot RequestClasses::first_within(const BackfillBounds& bounds,
                                                  Duration longest) const {
    Slot found = kNoSlot;
    std::int32_t least = kLastRank;
    const std::int32_t most = backfill::biased(longest);
    for_each_within(bounds, [&](Slot slot) {
        if (ranks_[slot] >= least || lengths_[slot] > most) return;
        least = ranks_[slot];
        found = slot;
    });
    return found;
}

bool RequestClasses::any_within(const BackfillBounds& bounds) const {
    for (Slot group = 0; group < size(); group += backfill::kGroup)
        if (backfill::fitting(&processors_[group], &lengths_[group], bounds) != 0) return true;
    return false;
}

} // namespace slotwise
