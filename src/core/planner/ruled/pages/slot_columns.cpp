#include "planner/ruled/pages/slot_columns.hpp"

#include <algorithm>
#include <bit>

namespace slotwise {

void SlotColumns::resize(std::size_t n_slots) {
    const FrontMinima closed;
    ranks_.resize(n_slots, closed.rank);
    processors_.resize(n_slots, closed.processors);
    lengths_.resize(n_slots, closed.length);
}

SlotColumns::Value SlotColumns::least_within(PageNumber page, const BackfillBounds& bounds,
                                             Duration longest) const {
    if (longest == kMaxDuration) { // without maintenance windows, any length is allowed
        SixteenMinima minima;
        take_ranks(page, bounds, minima);
        return minima.smallest();
    }
    Value least = SixteenMinima::kNone;
    for (unsigned found = fitting(page, bounds); found != 0; found &= found - 1) {
        const Slot slot = page * kPage + static_cast<Slot>(std::countr_zero(found));
        if (lengths_[slot] <= backfill::biased(longest)) least = std::min(least, ranks_[slot]);
    }
    return least;
}

SlotColumns::Slot SlotColumns::slot_of(PageNumber page, Value rank) const {
    const Value* ranks = &ranks_[page * kPage];
    const unsigned found = backfill::matching(ranks, ranks, rank, rank);
    return found == 0 ? kNoSlot : page * kPage + static_cast<Slot>(std::countr_zero(found));
}

SlotColumns::Slot SlotColumns::find(Value rank, PageNumber from) const {
    if (rank == SixteenMinima::kNone) return kNoSlot;
    Slot found = kNoSlot;
    for (PageNumber page = from; found == kNoSlot; ++page)
        found = slot_of(page, rank);
    return found;
}

} // namespace slotwise
