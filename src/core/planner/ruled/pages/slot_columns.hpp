// Ranks, processors and lengths of the fronts in slots, in pages of sixteen that are compared
// together.
//
// Example: the open slots of page 1 have ranks 5, 7 and 9 and take 4, 5 and 4 processors.
// least_within() with 4 processors free compares all of them at once and returns rank 5, which
// slot_of() finds in slot 16.
#pragma once

#include "availability/backfill_bounds.hpp"
#include "planner/ruled/pages/front_minima.hpp"
#include "queue/sixteen_minima.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class SlotColumns {
  public:
    using Slot = std::size_t;
    using PageNumber = std::uint32_t;
    using Value = SixteenMinima::Value;
    static constexpr Slot kNoSlot = SIZE_MAX;
    static constexpr std::size_t kPage = backfill::kGroup;

    // Changes the number of slots; added slots are closed.
    void resize(std::size_t n_slots);

    Value rank(Slot slot) const { return ranks_[slot]; }
    FrontMinima at(Slot slot) const { return {ranks_[slot], processors_[slot], lengths_[slot]}; }
    void set_rank(Slot slot, Value rank) { ranks_[slot] = rank; }
    void set(Slot slot, const FrontMinima& values) {
        ranks_[slot] = values.rank;
        processors_[slot] = values.processors;
        lengths_[slot] = values.length;
    }

    // Minima of the slots of a page.
    FrontMinima minima_of(PageNumber page) const {
        FrontMinima minima;
        for (Slot slot = page * kPage; slot < (page + 1) * kPage; ++slot)
            minima.take(at(slot));
        return minima;
    }

    // Bits of the slots of a page within the bounds; bit i stands for its slot i.
    [[gnu::always_inline]] unsigned fitting(PageNumber page, const BackfillBounds& bounds) const {
        return backfill::fitting(&processors_[page * kPage], &lengths_[page * kPage], bounds);
    }

    // Takes the ranks of a page into the minima; with bounds, only of slots within these.
    void take_ranks(PageNumber page, SixteenMinima& minima) const {
        minima.take_smaller(&ranks_[page * kPage]);
    }
    void take_ranks(PageNumber page, const BackfillBounds& bounds, SixteenMinima& minima) const {
        minima.take_smaller(&ranks_[page * kPage], &processors_[page * kPage],
                            &lengths_[page * kPage], bounds);
    }

    // Least rank in a page within the bounds and not longer than `longest`, or kNone.
    Value least_within(PageNumber page, const BackfillBounds& bounds, Duration longest) const;

    // Slot of a rank in a page, or kNoSlot.
    Slot slot_of(PageNumber page, Value rank) const;
    // Slot of a rank, which is in some page from `from` on; kNoSlot for kNone.
    Slot find(Value rank, PageNumber from) const;

  private:
    std::vector<Value> ranks_; // all three by slot
    std::vector<ProcCount> processors_;
    std::vector<std::int32_t> lengths_; // biased
};

} // namespace slotwise
